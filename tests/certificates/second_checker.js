// A second checker of certificates, in another language and with its own rules: it shares nothing with the package.
// It plays m,n,k games and games of falling stones, and returns "holds", "refuted: MOVES" or "unusable: WHY".

function rulesOf(game) {
  const drop = /^connect:(\d+)x(\d+)(?:,(\d+))?$/.exec(game === "connect-four" ? "connect:7x6" : game);
  const mnk = /^mnk:(\d+),(\d+),(\d+)$/.exec(game);
  if (game === "tic-tac-toe" || game === "misere") return { width: 3, height: 3, goal: 3, misere: game === "misere" };
  if (drop) return { width: +drop[1], height: +drop[2], goal: +(drop[3] ?? 4), drop: true };
  if (mnk) return { width: +mnk[1], height: +mnk[2], goal: +mnk[3], letters: true };
  return null;
}

// A board is an array of columns, each an array of marks from the top: 0 for the first player, 1 for the second, or null.
function empty(rules) {
  return Array.from({ length: rules.width }, () => Array(rules.height).fill(null));
}

function place(rules, board, name, mark) {
  let column, row;
  if (rules.drop) {
    column = Number(name) - 1;
    row = board[column] === undefined ? -1 : board[column].lastIndexOf(null);
  } else if (rules.letters) {
    column = name.charCodeAt(0) - 97;
    row = Number(name.slice(1)) - 1;
  } else {
    column = (Number(name) - 1) % 3;
    row = Math.floor((Number(name) - 1) / 3);
  }
  if (board[column]?.[row] !== null) return null;
  const next = board.map((cells) => cells.slice());
  next[column][row] = mark;
  return { board: next, column, row };
}

function lineThrough(rules, board, column, row) {
  const mark = board[column][row];
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, down]) => {
    let length = 1;
    for (const way of [1, -1]) {
      let step = 1;
      while (board[column + way * step * right]?.[row + way * step * down] === mark) {
        step += 1;
        length += 1;
      }
    }
    return length >= rules.goal;
  });
}

function namesOf(rules) {
  if (rules.drop) return Array.from({ length: rules.width }, (_, n) => String(n + 1));
  const cells = Array.from({ length: rules.width * rules.height }, (_, n) => n);
  return cells.map((n) => (rules.letters ? String.fromCharCode(97 + (n % rules.width)) + (Math.floor(n / rules.width) + 1) : String(n + 1)));
}

function check(text) {
  const lines = text.split("\n");
  const [title, game, player, after, claim] = lines;
  const rules = rulesOf((game ?? "").slice(5));
  const won = /^claim wins in ([1-9]\d*)$/.exec(claim ?? "");
  if (title !== "noughts certificate 1" || !rules || after !== "after") return "unusable: the first lines";
  if (!["player first", "player second"].includes(player) || !(won || claim === "claim never loses")) return "unusable: the claim";
  if (lines.at(-1) !== "" || lines.at(-2) !== "end") return "unusable: no end";
  const own = player === "player first" ? 0 : 1;
  const strategy = new Map();
  for (const line of lines.slice(5, -2)) {
    const [before, move] = line.split("=> ");
    let board = empty(rules);
    for (const [ply, name] of before.split(" ").filter(Boolean).entries()) {
      const next = place(rules, board, name, ply % 2);
      if (!next) return `unusable: ${line}`;
      board = next.board;
    }
    const key = JSON.stringify(board);
    strategy.set(key, [...(strategy.get(key) ?? []), move]);
  }
  const cells = rules.width * rules.height;
  const most = won ? Number(won[1]) : cells;
  const seen = new Set();
  const names = namesOf(rules);
  const waiting = [{ board: empty(rules), played: [] }];
  while (waiting.length) {
    const { board, played } = waiting.pop();
    const key = JSON.stringify(board);
    if (seen.has(key)) continue;
    seen.add(key);
    const mark = played.length % 2;
    if (played.length === cells || played.length >= most) return `refuted: ${played.join(" ")}`;
    const moves = mark === own ? strategy.get(key) ?? [] : names;
    if (!moves.length) return `refuted: ${played.join(" ")}`;
    for (const name of moves) {
      const next = place(rules, board, name, mark);
      const line = [...played, name];
      if (!next) {
        if (mark === own) return `refuted: ${line.join(" ")}`;
        continue;
      }
      if (lineThrough(rules, next.board, next.column, next.row)) {
        const winner = rules.misere ? 1 - mark : mark;
        if (winner !== own) return `refuted: ${line.join(" ")}`;
      } else if (line.length === cells) {
        if (won) return `refuted: ${line.join(" ")}`;
      } else {
        waiting.push({ board: next.board, played: line });
      }
    }
  }
  return "holds";
}
