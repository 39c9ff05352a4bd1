import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { defineConfig } from 'vite'
import { germanWords } from './german-words.ts'

/** The server that `npm run dev` passes requests on to. */
const server = 'http://localhost:8080'

/** Short, because scripts and styles have the names of all classes. */
function classNameOf(name: string, file: string): string {
  const path = relative(import.meta.dirname, file)
  return `${name}-${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`
}

/** Addresses of the built page are relative, because the server may be below a path of a reverse proxy. */
const consoleConfig = defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === 'serve' ? '/console/' : './',
  resolve: { alias: { '@backline/sdk': new URL('../sdk/src/index.ts', import.meta.url).pathname } },
  plugins: [germanWords()],
  css: { modules: { generateScopedName: classNameOf } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // In kB, before compression: the packages of the first load are half a megabyte.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Packages mark modules with `'use client'`, which is for servers that render.
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          // Few files, because each is compressed alone: what every page needs, the list of the inbox, what may be asked for
          // on each page, what several pages share, a conversation, and a file for each area. Packages are apart, because
          // they change seldom.
          groups: [
            { name: 'packages', test: /node_modules/, tags: ['$initial'], priority: 5 },
            { name: 'console', tags: ['$initial'], priority: 4 },
            { name: 'inbox', test: /\/inbox\/Inbox\.tsx$/, priority: 3 },
            {
              name: 'later',
              test: /\/src\/(get-started|inbox\/(columns|new)|notifications|palette|team)\//,
              priority: 3,
            },
            { name: 'shared', test: /^(?!.*\/src\/inbox\/)/, minShareCount: 2, priority: 2 },
            {
              name: 'conversation',
              test: /\/inbox\/(ConversationPage|side\/DetailsPanel)\.tsx$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': server, '/console/api': server } },
}))

export default consoleConfig
