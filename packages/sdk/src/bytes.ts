/** A `Blob` or `File` is read as it is sent: `openAsBlob` of `node:fs` gives one for a file on the disk. */
export type UploadBytes = Blob | Uint8Array | ArrayBuffer

/** A `Blob` has its bytes by reference; those of an array are copied. */
export function blobOf(bytes: UploadBytes): Blob {
  if (bytes instanceof Blob) return bytes
  if (bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes)) return new Blob([bytes as ArrayBuffer])
  throw new TypeError('This needs a Blob, a File, a Uint8Array or an ArrayBuffer.')
}
