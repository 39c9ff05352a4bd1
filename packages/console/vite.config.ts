import { defineConfig } from 'vite'

/** The server that `npm run dev` passes requests on to. */
const server = 'http://localhost:8080'

/** Addresses of the built page are relative, because the server may be below a path of a reverse proxy. */
const consoleConfig = defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === 'serve' ? '/console/' : './',
  resolve: { alias: { '@backline/sdk': new URL('../sdk/src/index.ts', import.meta.url).pathname } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // In kB, before compression: the packages of the first load are half a megabyte.
    chunkSizeWarningLimit: 700,
    // Packages change seldom, so that browsers keep them when the console changes. Those that only some pages need are
    // loaded with these.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, tags: ['$initial'] }] } },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': server, '/console/api': server } },
}))

export default consoleConfig
