import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Writes openapi/released.json: the document of the last release without its texts. test/compatibility.test.ts compares
 * the document with it. Run it when a version is released, after the comparison has passed.
 */
const folder = join(import.meta.dirname, '../openapi')
const texts = new Set(['description', 'summary', 'example', 'examples', 'default'])

const document = readFileSync(join(folder, 'v1.json'), 'utf8')
const { openapi, info, paths, webhooks, components } = JSON.parse(document, (name, value) => {
  const isText = texts.has(name) && !('type' in Object(value))
  const isRefusal = /^[45]\d\d$/.test(name)
  return isText || isRefusal ? undefined : value
})
const { schemas, parameters } = components
const released = {
  openapi,
  info: { title: info.title },
  paths,
  webhooks,
  components: { schemas, parameters },
}
writeFileSync(join(folder, 'released.json'), `${JSON.stringify(released)}\n`)
