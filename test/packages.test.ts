import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

/* The packages as a release publishes them: manifests, versions, and READMEs, which are their front pages. */

const repository = join(import.meta.dirname, '..')

type Manifest = {
  name: string
  version: string
  private?: boolean
  files?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const manifestOf = (file: string): Manifest => JSON.parse(readFileSync(join(repository, file), 'utf8'))

const { version } = manifestOf('package.json')
const manifests = globSync('packages/*/package.json', { cwd: repository }).map((file) => ({
  directory: join(repository, dirname(file)),
  manifest: manifestOf(file),
}))
const published = manifests.filter(({ manifest }) => !manifest.private)

test('the server and the SDK are published, and all packages have one version', () => {
  const names = published.map(({ manifest }) => manifest.name).sort()
  assert.deepEqual(names, ['@backline/sdk', '@backline/server'])
  for (const { manifest } of manifests) {
    const { name, dependencies, devDependencies } = manifest
    assert.equal(manifest.version, version, name)
    for (const [other, range] of Object.entries({ ...dependencies, ...devDependencies }))
      if (other.startsWith('@backline/')) assert.equal(range, version, `${name} → ${other}`)
  }
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')
  assert.equal(/^## (\S+)/m.exec(changelog)![1], version, 'the newest version in CHANGELOG.md')
})

for (const { directory, manifest } of published) {
  describe(manifest.name, () => {
    test('has what a registry shows, and provenance', () => {
      assert.partialDeepStrictEqual(manifest, {
        license: 'Apache-2.0',
        publishConfig: { access: 'public', provenance: true },
      })
      for (const field of ['description', 'keywords', 'files', 'engines']) assert.ok(field in manifest, field)
    })

    test('has a README whose links work from the package', () => {
      const readme = readFileSync(join(directory, 'README.md'), 'utf8')
      const text = readme.replace(/^```.*?^```$/gms, '')
      const links = [...text.matchAll(/\]\(([^)]+)\)|<(https?:[^>]+)>/g)].map(
        ([, one, other]) => one ?? other!,
      )
      assert.ok(links.length > 0)
      for (const link of links) {
        const [, guide] = /^http:\/\/127\.0\.0\.1:8080\/guides\/([\w-]+)/.exec(link) ?? []
        if (guide) assert.ok(existsSync(join(repository, `docs/${guide}.md`)), link)
        if (/^(https?:|#)/.test(link)) continue
        assert.ok(
          manifest.files!.some((file) => link === file || link.startsWith(`${file}/`)),
          `${link} is not in the package`,
        )
      }
    })
  })
}
