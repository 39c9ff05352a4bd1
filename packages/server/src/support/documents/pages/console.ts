import { access, readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { immutable, type StaticText, sendStatic, staticText } from './static-text.ts'

/** The directory of the built page of the console, in a checkout and in the npm package. */
export const consolePage = join(import.meta.dirname, '../../../../../console/dist')

/** False in a checkout whose packages were installed without the console's. */
export const isConsoleInstalled = (): Promise<boolean> =>
  access(join(consolePage, 'index.html')).then(
    () => true,
    () => false,
  )

/** Advice for whoever looks for the page in vain. */
export const consoleMissing =
  'The console is not installed. In a checkout, npm ci without --omit=dev and --ignore-scripts builds it.'

type ConsoleFiles = {
  /** The page itself, for every address without a file. */
  page: StaticText
  /** Files by their path below `/console/`, with a hash of their content in their names. */
  assets: Map<string, StaticText | Font>
}

/** Compressed already. */
type Font = { type: 'font/woff2'; bytes: Buffer }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type ConsoleDeps = {
  /** The directory of the built page. */
  directory: string
  publicUrl: string
  /** The origin of the file store; null if it is this server. */
  fileOrigin: string | null
}

/**
 * `GET /console/…`: the page for operators and engineers, which the build of `packages/console` has made.
 * The page runs no script and loads nothing but its own; it may show images of the file store.
 */
export function exposeConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const path = new URL(`${deps.publicUrl}/console/`).pathname
  const policy = consolePolicy(deps.fileOrigin ?? new URL(deps.publicUrl).origin)
  let loading: Promise<ConsoleFiles> | undefined
  const files = () => {
    loading ??= load(deps.directory, path).catch((error) => {
      loading = undefined // the next reader tries again
      throw error
    })
    return loading
  }

  app.get('/console', async (_request, reply) => reply.redirect(path, 308))
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const { page, assets } = await files()
    const name = request.params['*']
    const asset = assets.get(name)
    if (!asset && (extname(name) !== '' || name.startsWith('api/'))) throw new ApiError('not_found')
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    if (asset && 'bytes' in asset)
      return reply.header('cache-control', immutable).type(asset.type).send(asset.bytes)
    return sendStatic(request, reply, asset ?? page)
  })
}

/** @param fileOrigin the origin of URLs of files; the page may have been opened at another address of the server */
function consolePolicy(fileOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob: ${fileOrigin}`,
    `connect-src 'self' ${fileOrigin}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @param path the path of the page, in which links and assets are relative */
async function load(directory: string, path: string): Promise<ConsoleFiles> {
  const names = await readdir(join(directory, 'assets')).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new ApiError('not_found', {}, { detail: consoleMissing })
  })
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, StaticText | Font]> => {
      const bytes = await readFile(join(directory, 'assets', name))
      const type = types[extname(name)]
      const path = `assets/${name}`
      return [path, type ? staticText(type, bytes.toString(), immutable) : { type: 'font/woff2', bytes }]
    }),
  )
  const icon = await readFile(join(directory, 'icon.svg'), 'utf8')
  const html = (await readFile(join(directory, 'index.html'), 'utf8')).replace(
    '<base href="/console/">',
    `<base href="${path}">`,
  )
  return {
    page: staticText('text/html; charset=utf-8', html),
    assets: new Map([...assets, ['icon.svg', staticText(types['.svg']!, icon)]]),
  }
}
