export type FileSettings = {
  store: StoreSettings
  /** Maximum size of a file. */
  maxBytes: number
  /** Null switches the virus scanner off. */
  clamd: ClamdAddress | null
}

export type StoreSettings = DirectorySettings | S3Settings

/** `path` is absolute. */
export type DirectorySettings = { kind: 'directory'; path: string }

export type S3Settings = {
  kind: 's3'
  bucket: string
  /** The origin of an S3-compatible store, which is addressed path-style; null selects AWS. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** `path`: that of a Unix socket. */
export type ClamdAddress = { host: string; port: number } | { path: string }
