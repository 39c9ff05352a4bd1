const maxLength = 255

const extensions: Record<string, string> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/ms-tnef': 'dat',
  'application/pdf': 'pdf',
  'application/pgp-encrypted': 'asc',
  'application/pgp-keys': 'asc',
  'application/pgp-signature': 'asc',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.ms-tnef': 'dat',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/x-pkcs7-mime': 'p7m',
  'application/x-pkcs7-signature': 'p7s',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'message/global': 'eml',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/rfc822-headers': 'txt',
  'text/rtf': 'rtf',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
}

/** Types whose files get their extension even if they have a name. */
const ofOneExtension = ['message/rfc822', 'message/global', 'text/calendar']

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced
const forbidden = /[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g

/**
 * The name of a file. Path separators, control characters and marks of text direction, which hide the true extension,
 * become underscores.
 * @param number of the attachment in its mail, from 1
 */
export function fileNameOf(name: string | null, contentType: string, number: number): string {
  const extension = extensions[contentType] ?? 'bin'
  const clean = (name ?? '').replace(forbidden, '_').trim().toWellFormed()
  if (!/[^._\s]/.test(clean)) return `attachment-${number}.${extension}`
  const isComplete = !ofOneExtension.includes(contentType) || clean.toLowerCase().endsWith(`.${extension}`)
  return shorten(isComplete ? clean : `${clean}.${extension}`)
}

/** Cuts characters before the extension. */
function shorten(name: string): string {
  if (name.length <= maxLength) return name
  const extension = /\.[^.\s]{1,20}$/.exec(name.slice(-21))?.[0] ?? ''
  const base = name.slice(0, maxLength - extension.length)
  return (base.isWellFormed() ? base : base.slice(0, -1)) + extension
}
