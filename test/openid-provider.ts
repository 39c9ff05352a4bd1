import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch, repository, type ServerProcess, until } from './processes.ts'

/*
 * oidc-provider, an OpenID provider that others wrote, as a process: `npm ci --prefix tools/oidc-provider` installs it.
 * A person at it is a few requests: its two forms, and the cookies of its site.
 */

const folder = join(repository, 'tools/oidc-provider')

export const isProviderInstalled = existsSync(join(folder, 'node_modules/oidc-provider'))

export type ProviderSettings = {
  port: number
  clientId: string
  clientSecret: string
  authentication: 'client_secret_basic' | 'client_secret_post'
  redirectUri: string
  claimsInIdToken: boolean
}

/** Starts it; `cleanUp()` of processes.ts ends it. */
export async function startProvider(settings: ProviderSettings): Promise<ServerProcess> {
  const command = [process.execPath, join(folder, 'serve.mjs'), JSON.stringify(settings)] as const
  const server = launch({ command: [...command] })
  await until('the provider listens', () => {
    if (server.exit) throw new Error(`The provider ended\n${server.output}`)
    return server.stdout.includes('ready\n')
  })
  return server
}

/**
 * Goes through the forms of the provider as somebody would.
 * @param email the name to enter; null cancels
 * @returns the address that the provider sends the browser back to
 */
export async function visitProvider(authorizationUrl: string, email: string | null): Promise<URL> {
  const { origin } = new URL(authorizationUrl)
  const cookies = new Map<string, string>()
  let [url, form]: [string, URLSearchParams | null] = [authorizationUrl, null]
  for (let step = 0; step < 20; step++) {
    const response: Response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { body: form } : {}),
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const text = await response.text()
    const location = response.headers.get('location')
    if (location) {
      const next = new URL(location, url)
      if (next.origin !== origin) return next
      ;[url, form] = [next.href, null]
      continue
    }
    const [, action] = /<form [^>]*action="([^"]+)"/.exec(text) ?? []
    const [, prompt] = /name="prompt" value="([a-z]+)"/.exec(text) ?? []
    if (response.status !== 200 || !action || !prompt)
      throw new Error(`The provider responded with ${response.status}: ${text.slice(0, 500)}`)
    const target = new URL(action, url).href
    if (email === null) [url, form] = [`${target}/abort`, null]
    else [url, form] = [target, new URLSearchParams({ prompt, login: email, password: 'any' })]
  }
  throw new Error('The provider redirects without end')
}
