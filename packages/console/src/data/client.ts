import { Backline } from '@backline/sdk'

export type EnvironmentName = 'live' | 'test'

/** The address of the server, with a slash at its end: the page is one folder below it. */
export const serverUrl = new URL('..', document.baseURI).href

/** The header tells that a page of the server sends the request, and for which environment. */
export const environmentHeader = 'Backline-Console'

let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

/**
 * A client of the API with the session of the browser in place of a key: the cookie, which no script can read,
 * authenticates its requests.
 * @param onSignedOut called when the server no longer knows the session
 */
export const clientFor = (environment: EnvironmentName, onSignedOut: () => void): Backline =>
  new Backline({
    apiKey: 'session',
    baseUrl: serverUrl,
    maxRetries: 2,
    async fetch(url, init) {
      const headers = new Headers(init.headers)
      if (new URL(url).origin === location.origin) headers.set(environmentHeader, environment)
      headers.delete('authorization')
      const response = await fetch(url, {
        ...init,
        headers,
        credentials: 'same-origin',
        // A browser that stores answers asks with the `ETag` of a version, which does not stand for counts and last
        // uses.
        cache: 'no-store',
        keepalive: isLeaving, // the browser sends it although the page is gone
      })
      if (response.status === 401) onSignedOut()
      return response
    },
  })
