// Textbook minimax for tic-tac-toe: no pruning, no memory, a board of characters that is changed and changed back.
//
// Usage: textbook [rounds]. Searches the whole tree from the empty board so many times and prints one line of JSON
// with the nodes of one tree (the root included), its value for X, and the time of the fastest round.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>

const char EMPTY = '_';
const char COMPUTER = 'x';
const char HUMAN = 'o';

char board[3][3];
long nodes = 0;

// Returns +10 if the computer has three in a row, -10 if the human has, else 0.
int evaluate() {
    for (int row = 0; row < 3; row++) {
        if (board[row][0] == board[row][1] && board[row][1] == board[row][2]) {
            if (board[row][0] == COMPUTER) return +10;
            if (board[row][0] == HUMAN) return -10;
        }
    }
    for (int column = 0; column < 3; column++) {
        if (board[0][column] == board[1][column] && board[1][column] == board[2][column]) {
            if (board[0][column] == COMPUTER) return +10;
            if (board[0][column] == HUMAN) return -10;
        }
    }
    if ((board[0][0] == board[1][1] && board[1][1] == board[2][2]) ||
        (board[0][2] == board[1][1] && board[1][1] == board[2][0])) {
        if (board[1][1] == COMPUTER) return +10;
        if (board[1][1] == HUMAN) return -10;
    }
    return 0;
}

bool isMovesLeft() {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (board[row][column] == EMPTY) return true;
    return false;
}

int minimax(bool isMax) {
    nodes++;
    int score = evaluate();
    if (score != 0) return score;
    if (!isMovesLeft()) return 0;

    int best = isMax ? -1000 : 1000;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            if (board[row][column] != EMPTY) continue;
            board[row][column] = isMax ? COMPUTER : HUMAN;
            int value = minimax(!isMax);
            board[row][column] = EMPTY;
            best = isMax ? std::max(best, value) : std::min(best, value);
        }
    }
    return best;
}

int main(int argc, char** argv) {
    int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
    double bestCpu = 1e9, bestWall = 1e9;
    int value = 0;
    for (int round = 0; round < rounds; round++) {
        std::fill(&board[0][0], &board[0][0] + 9, EMPTY);
        nodes = 0;
        auto wall = std::chrono::steady_clock::now();
        std::clock_t cpu = std::clock();
        value = minimax(true);
        double cpuSeconds = double(std::clock() - cpu) / CLOCKS_PER_SEC;
        double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
        bestCpu = std::min(bestCpu, cpuSeconds);
        bestWall = std::min(bestWall, wallSeconds);
    }
    std::cout << "{\"nodes\": " << nodes << ", \"value\": " << value << ", \"cpu_seconds\": " << bestCpu
              << ", \"wall_seconds\": " << bestWall << "}" << std::endl;
    return 0;
}
