/** A key or token, or a function that returns one. */
export type ApiKey = string | (() => string | Promise<string>)

/**
 * The key or token of a client. One that a function returned is used until the API refuses it. Requests that need the
 * next one at the same time share a call of the function.
 */
export class Credential {
  readonly #ask: () => Promise<string>
  #asked: Promise<string> | undefined

  /** @throws TypeError for a key that cannot be used here */
  constructor(apiKey: ApiKey, allowsSecretKey: boolean) {
    if (typeof apiKey !== 'function') checkKey(apiKey, allowsSecretKey)
    this.#ask = async () => {
      if (typeof apiKey !== 'function') return apiKey
      const key = await apiKey()
      checkKey(key, allowsSecretKey)
      return key
    }
  }

  /** @throws the error of the function, or TypeError for a key that cannot be used here */
  current(): Promise<string> {
    if (this.#asked) return this.#asked
    const asked = this.#ask()
    asked.catch(() => this.#forget(asked))
    this.#asked = asked
    return asked
  }

  /** The key to use instead of one that the API has refused: the same if there is no other. @throws as `current` */
  async after(refused: string): Promise<string> {
    const asked = this.#asked
    if (asked && (await asked) === refused) this.#forget(asked)
    return this.current()
  }

  #forget(asked: Promise<string>): void {
    if (this.#asked === asked) this.#asked = undefined
  }
}

function checkKey(key: unknown, allowsSecretKey: boolean): asserts key is string {
  if (typeof key !== 'string' || key === '')
    throw new TypeError("apiKey is missing. Create a client with new Backline({ apiKey: 'bkl_test_…' }).")
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('apiKey contains a space, a line break or another character that no key has.')
  if (/^bkl_(live|test)_/.test(key) && isBrowser() && !allowsSecretKey)
    throw new TypeError(
      'A browser must not have a secret key: everybody who opens the page can read it. Use an end-user token ' +
        '(bkl_eut_…), or call Backline from your backend. dangerouslyAllowBrowser: true removes this check.',
    )
}

/** A page has a window and a document; servers, workers of the edge and command lines do not. */
const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis
