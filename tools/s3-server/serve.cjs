const S3rver = require('s3rver')

/*
 * Serves the bucket `files` from a directory, the first argument, on a free port, and prints the port. The access key
 * and the secret of s3rver are S3RVER. The bucket has the CORS rule of docs/operating.md.
 */
const cors = `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><CORSRule>
  <AllowedOrigin>*</AllowedOrigin>
  <AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod>
  <AllowedHeader>content-type</AllowedHeader><AllowedHeader>x-amz-checksum-sha256</AllowedHeader>
  <MaxAgeSeconds>3600</MaxAgeSeconds>
</CORSRule></CORSConfiguration>`

new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'files', configs: [cors] }],
}).run((error, { port } = {}) => {
  if (error) throw error
  console.log(port)
})
