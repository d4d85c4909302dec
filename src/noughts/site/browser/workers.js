// Workers that take turns with questions. To cancel a question that is being answered, its worker is ended and replaced.

const GRACE = 300; // milliseconds in which a cancelled question may still end by itself, since a new worker takes longer
const LONGEST = 60_000; // no question takes that long, unless a game of one's own loops for ever

/** Workers of one kind, `most` at a time; `start(tell)` starts one. */
export class Workers {
  #start;
  #most;
  #waiting = [];
  #workers = new Set();
  #number = 0;

  constructor(start, most = 2) {
    this.#start = start;
    this.#most = most;
  }

  /** Start the first worker, so that it is ready when there is a question. */
  prepare() {
    if (!this.#workers.size) this.#add();
  }

  /** The status and the text that answer a question; `progress` gets lines of JSON. */
  ask(path, query, signal, progress = () => {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const job = { path, query, resolve, reject, progress };
      signal?.addEventListener("abort", () => this.#cancel(job, signal.reason), { once: true });
      this.#waiting.push(job);
      this.#assign();
    });
  }

  #add() {
    const worker = { ready: false, job: null, timer: 0, handle: null };
    this.#workers.add(worker);
    worker.handle = this.#start((message) => {
      if (!this.#workers.has(worker)) return;
      if (message.ready) {
        worker.ready = true;
        this.#assign();
      } else if ("failed" in message) {
        this.#fail(worker, message.failed);
      } else if (worker.job?.id === message.id) {
        if ("progress" in message) worker.job.progress(message.progress);
        else this.#finish(worker, message);
      }
    });
  }

  #assign() {
    while (this.#waiting.length) {
      const all = [...this.#workers];
      const idle = all.find((worker) => worker.ready && !worker.job);
      if (!idle) {
        if (all.length < this.#most && all.every((worker) => worker.ready)) this.#add();
        return;
      }
      const job = this.#waiting.shift();
      job.id = this.#number += 1;
      idle.job = job;
      idle.timer = setTimeout(() => this.#replace(idle, new Error("This took too long, and was ended.")), LONGEST);
      idle.handle.post({ id: job.id, path: job.path, query: job.query });
    }
  }

  #finish(worker, { status, body }) {
    clearTimeout(worker.timer);
    worker.job.resolve({ status, body });
    worker.job = null;
    this.#assign();
  }

  #cancel(job, reason) {
    job.reject(reason);
    this.#waiting = this.#waiting.filter((each) => each !== job);
    setTimeout(() => {
      const worker = [...this.#workers].find((each) => each.job === job);
      if (worker) this.#replace(worker, reason);
    }, GRACE);
  }

  #remove(worker) {
    clearTimeout(worker.timer);
    this.#workers.delete(worker);
    worker.handle.end();
  }

  #replace(worker, reason) {
    worker.job?.reject(reason);
    this.#remove(worker);
    this.#add();
  }

  // A worker that never began to work is not replaced at once: the next one would fare no better.
  #fail(worker, why) {
    const error = new Error(`Python stopped working in this browser: ${why}`);
    if (worker.ready) {
      this.#replace(worker, error);
      return;
    }
    this.#remove(worker);
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }
}
