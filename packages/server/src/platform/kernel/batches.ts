type Answering<Question, Answer> = (questions: Question[]) => Promise<(Answer | Promise<Answer>)[]>
type Waiting<Answer> = { resolve(answer: Answer | Promise<Answer>): void; reject(error: unknown): void }

/**
 * Answers together what is asked in one turn of the event loop. `answer` is called after all of it is asked, so that
 * each learns what is true after its question.
 */
export class Batches<Question, Answer> {
  /** Those who wait for each question that is not being answered yet, by their key. */
  readonly #open = new Map<string, Map<Question, Waiting<Answer>[]>>()
  readonly #most: number

  /** @param most the number of different questions that are answered together */
  constructor(most: number) {
    this.#most = most
  }

  /** @param answer answers questions with this key, in their order; an answer may be a promise */
  ask(key: string, question: Question, answer: Answering<Question, Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const batch = this.#batchFor(key, question, answer)
      const others = batch.get(question)
      if (others) others.push({ resolve, reject })
      else batch.set(question, [{ resolve, reject }])
    })
  }

  #batchFor(key: string, question: Question, answer: Answering<Question, Answer>) {
    const open = this.#open.get(key)
    if (open && (open.size < this.#most || open.has(question))) return open
    const batch = new Map<Question, Waiting<Answer>[]>()
    this.#open.set(key, batch)
    setImmediate(() => {
      if (this.#open.get(key) === batch) this.#open.delete(key)
      void answerAll(batch, answer)
    })
    return batch
  }
}

async function answerAll<Question, Answer>(
  batch: Map<Question, Waiting<Answer>[]>,
  answer: Answering<Question, Answer>,
): Promise<void> {
  try {
    const answers = await answer([...batch.keys()])
    for (const [i, waiting] of [...batch.values()].entries())
      for (const { resolve } of waiting) resolve(answers[i]!)
  } catch (error) {
    for (const { reject } of [...batch.values()].flat()) reject(error)
  }
}
