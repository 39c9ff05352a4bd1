import { isAbsolute, join, resolve } from 'node:path'
import type { ClamdAddress, FileSettings, StoreSettings } from '../platform/files/settings.ts'
import { parseVisible, type Setting, wholeNumber } from './setting.ts'

/** 5 GiB is the most that one PUT and one copy of S3 accept. */
const mostBytes = 5 * 2 ** 30

/** Reads the variables of files. @param refuse reports a fault of several variables together */
export function fileSettings(
  setting: Setting,
  dataDir: string,
  refuse: (fault: string) => void,
): FileSettings {
  const directory = setting('BACKLINE_FILES_DIR', '', (text) => text, 'a directory')
  return {
    store: bucketSettings(setting, directory !== '', refuse) ?? {
      kind: 'directory',
      path: directory ? resolve(directory) : join(dataDir, 'files'),
    },
    maxBytes: setting(
      'BACKLINE_FILES_MAX_BYTES',
      '26214400',
      wholeNumber(1, mostBytes),
      `a whole number of bytes from 1 to ${mostBytes}`,
    ),
    clamd: setting(
      'BACKLINE_CLAMD',
      '',
      (text) => (text === '' ? { address: null } : parseClamd(text)),
      'host:port, such as 127.0.0.1:3310 or [::1]:3310, or the absolute path of a socket',
    )?.address,
  }
}

/** Null without a bucket. */
function bucketSettings(
  setting: Setting,
  hasDirectory: boolean,
  refuse: (fault: string) => void,
): StoreSettings | null {
  const text = (name: string, parse: (text: string) => string | null, expected: string) =>
    setting(`BACKLINE_FILES_S3_${name}`, '', (given) => (given === '' ? '' : parse(given)), expected)
  const bucket = text('BUCKET', parseBucket, 'the name of a bucket, without a URL')
  const endpoint = text('ENDPOINT', parseEndpoint, 'an http:// or https:// URL without a path')
  const region = text('REGION', (given) => (/^[a-z0-9-]{1,63}$/i.test(given) ? given : null), 'a region')
  const accessKeyId = text('ACCESS_KEY_ID', parseVisible, 'visible ASCII characters')
  const secretAccessKey = text('SECRET_ACCESS_KEY', parseVisible, 'visible ASCII characters')
  if (bucket === null) return null // the invalid name is the fault
  if (bucket === '') {
    const given = {
      ENDPOINT: endpoint,
      REGION: region,
      ACCESS_KEY_ID: accessKeyId,
      SECRET_ACCESS_KEY: secretAccessKey,
    }
    for (const [name, value] of Object.entries(given))
      if (value) refuse(`BACKLINE_FILES_S3_${name} requires BACKLINE_FILES_S3_BUCKET`)
    return null
  }
  if (accessKeyId === '') refuse('BACKLINE_FILES_S3_BUCKET requires BACKLINE_FILES_S3_ACCESS_KEY_ID')
  if (secretAccessKey === '') refuse('BACKLINE_FILES_S3_BUCKET requires BACKLINE_FILES_S3_SECRET_ACCESS_KEY')
  if (hasDirectory)
    refuse('BACKLINE_FILES_DIR and BACKLINE_FILES_S3_BUCKET exclude each other: files are in one of them')
  return {
    kind: 's3',
    bucket,
    endpoint: endpoint || null,
    region: region || 'us-east-1',
    accessKeyId,
    secretAccessKey,
  }
}

/** The rules of AWS; other stores also have upper case and underscores. */
const parseBucket = (text: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(text) && !text.includes('..') ? text : null

function parseEndpoint(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !url.username && !url.password && url.pathname === '/'
  return isPlain && url.search === '' && url.hash === '' ? url.origin : null
}

/** In an object, because null is an invalid text. */
function parseClamd(text: string): { address: ClamdAddress } | null {
  if (isAbsolute(text)) return { address: { path: text } }
  const [, bracketed, name, digits] = /^(?:\[([0-9a-f:.%]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  return host && port >= 1 && port <= 65_535 ? { address: { host, port } } : null
}
