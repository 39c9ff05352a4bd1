/* The health check of the image: exit code 0 if the server of this container responds. */
const { get } = require('node:http')

const { HOST = '127.0.0.1', PORT = '8080' } = process.env
const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST

get({ host, port: PORT, path: '/healthz', timeout: 4_000 }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1)
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
