/*
 * Media types that agree with each other: names of one format, and formats of one container that programs name by one
 * another. Names as clients send them, by the registry of IANA, the tables of browsers and operating systems.
 */

const isoMedia = [
  ...[
    'video/mp4',
    'audio/mp4',
    'application/mp4',
    'video/quicktime',
    'video/x-quicktime',
    'video/x-m4v',
    'video/m4v',
  ],
  ...[
    'audio/x-m4a',
    'audio/m4a',
    'audio/x-m4b',
    'audio/x-m4p',
    'audio/mp4a-latm',
    'video/3gpp',
    'audio/3gpp',
  ],
  ...['video/3gpp2', 'audio/3gpp2', 'video/3gp', 'audio/3gp'],
]

const legacyOffice = [
  ...['application/msword', 'application/vnd.ms-word', 'application/x-msword', 'application/vnd.ms-excel'],
  ...['application/msexcel', 'application/x-msexcel', 'application/x-excel', 'application/vnd.ms-powerpoint'],
  ...['application/mspowerpoint', 'application/powerpoint', 'application/x-mspowerpoint'],
]

export const groups: readonly (readonly string[])[] = [
  // Images
  ['image/jpeg', 'image/jpg', 'image/pjpeg', 'image/jpe', 'image/x-jpeg'],
  ['image/png', 'image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
  ['image/gif', 'image/x-gif'],
  ['image/bmp', 'image/x-bmp', 'image/x-ms-bmp', 'image/x-windows-bmp'],
  ['image/x-icon', 'image/vnd.microsoft.icon', 'image/ico', 'image/x-ico'],
  ['image/tiff', 'image/tif', 'image/x-tiff', 'image/tiff-fx', 'image/x-adobe-dng', 'image/x-nikon-nef'],
  ['image/tiff', 'image/x-canon-cr2', 'image/x-sony-arw', 'image/x-olympus-orf', 'image/x-panasonic-rw2'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  [
    'image/jp2',
    'image/jpx',
    'image/jpm',
    'image/j2c',
    'image/jpeg2000',
    'image/jpeg2000-image',
    'image/x-jp2',
  ],
  ['image/vnd.adobe.photoshop', 'image/x-photoshop', 'image/psd', 'image/x-psd', 'application/x-photoshop'],
  ['image/vnd.adobe.photoshop', 'application/photoshop', 'application/psd'],
  [
    'image/vnd.dwg',
    'image/x-dwg',
    'application/acad',
    'application/x-acad',
    'application/dwg',
    'application/x-dwg',
  ],
  ['image/vnd.ms-photo', 'image/jxr'],
  // Audio and video
  isoMedia,
  ['video/matroska', 'video/x-matroska', 'audio/matroska', 'audio/x-matroska', 'video/webm', 'audio/webm'],
  [
    'application/ogg',
    'audio/ogg',
    'video/ogg',
    'audio/opus',
    'audio/vorbis',
    'audio/x-vorbis+ogg',
    'audio/speex',
  ],
  [
    'application/vnd.ms-asf',
    'audio/x-ms-asf',
    'video/x-ms-asf',
    'video/x-ms-wmv',
    'audio/x-ms-wma',
    'video/x-ms-wm',
  ],
  [
    'video/mpeg',
    'video/mp1s',
    'video/mp2p',
    'video/x-mpeg',
    'video/mpg',
    'video/mp2t',
    'video/vnd.dlna.mpeg-tts',
  ],
  [
    'audio/mpeg',
    'audio/mp3',
    'audio/x-mp3',
    'audio/mpeg3',
    'audio/x-mpeg',
    'audio/x-mpeg-3',
    'audio/mpa',
    'audio/mp2',
  ],
  ['audio/aac', 'audio/x-aac', 'audio/aacp', 'audio/x-hx-aac-adts', 'audio/vnd.dlna.adts'],
  ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave', 'audio/x-pn-wav'],
  ['video/vnd.avi', 'video/avi', 'video/msvideo', 'video/x-msvideo'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/aiff', 'audio/x-aiff', 'audio/aifc'],
  ['audio/midi', 'audio/mid', 'audio/x-midi', 'audio/x-mid', 'audio/sp-midi'],
  ['audio/amr', 'audio/amr-wb', 'audio/3gpp'],
  ['audio/x-caf', 'audio/caf'],
  ['video/x-flv', 'video/flv'],
  // Documents
  [
    'application/pdf',
    'application/x-pdf',
    'application/acrobat',
    'application/illustrator',
    'application/postscript',
  ],
  ['application/postscript', 'application/eps', 'application/x-eps', 'image/eps', 'image/x-eps'],
  ['application/rtf', 'text/rtf', 'application/x-rtf', 'text/richtext', ...legacyOffice],
  ['application/x-mobipocket-ebook', 'application/vnd.amazon.ebook'],
  ['application/pgp-encrypted', 'application/pgp', 'application/pgp-signature', 'application/pgp-keys'],
  // Programs that export tables and documents for Office as HTML or XML send them under its old types.
  ['text/html', 'application/xhtml+xml', ...legacyOffice],
  ['application/xml', 'text/xml', ...legacyOffice],
  // Archives
  ['application/zip', 'application/x-zip', 'application/x-zip-compressed', 'multipart/x-zip'],
  [
    'application/gzip',
    'application/x-gzip',
    'application/x-gunzip',
    'application/x-tgz',
    'application/x-gtar-compressed',
  ],
  ['application/gzip', 'application/x-compressed-tar', 'application/tar+gzip'],
  ['application/x-tar', 'application/tar', 'application/x-gtar', 'application/x-ustar'],
  ['application/x-bzip2', 'application/x-bzip', 'application/bzip2'],
  ['application/x-xz', 'application/xz'],
  ['application/x-7z-compressed', 'application/x-7zip', 'application/7z'],
  ['application/x-rar-compressed', 'application/vnd.rar', 'application/x-rar', 'application/rar'],
  ['application/vnd.ms-cab-compressed', 'application/x-cab', 'application/cab'],
  ['application/x-iso9660-image', 'application/vnd.efi.iso', 'application/x-cd-image'],
  // Programs
  [
    ...['application/x-msdownload', 'application/vnd.microsoft.portable-executable', 'application/x-dosexec'],
    ...['application/x-msdos-program', 'application/exe', 'application/x-exe', 'application/x-executable'],
  ],
  [
    'application/x-elf',
    'application/x-executable',
    'application/x-sharedlib',
    'application/x-pie-executable',
  ],
  ['application/x-mach-binary', 'application/x-executable', 'application/x-sharedlib'],
  ['application/x-deb', 'application/vnd.debian.binary-package', 'application/x-debian-package'],
  ['application/x-rpm', 'application/x-redhat-package-manager', 'application/x-rpm-package'],
  ['application/java-archive', 'application/x-java-archive', 'application/x-jar'],
  ['application/java-vm', 'application/x-java-vm', 'application/java', 'application/x-java-class'],
  // Fonts and others
  [
    'font/ttf',
    'font/otf',
    'font/sfnt',
    'application/x-font-ttf',
    'application/x-font-otf',
    'application/font-sfnt',
  ],
  [
    'font/ttf',
    'font/otf',
    'application/x-font-truetype',
    'application/x-font-opentype',
    'application/vnd.ms-opentype',
  ],
  ['font/woff', 'application/font-woff', 'application/x-font-woff'],
  ['font/woff2', 'application/font-woff2'],
  ['application/x-sqlite3', 'application/vnd.sqlite3', 'application/sqlite3'],
  ['application/vnd.tcpdump.pcap', 'application/x-pcap', 'application/cap', 'application/x-pcapng'],
]

/**
 * Documents whose files are a ZIP, or a compound file (CFB) of Microsoft: as encrypted documents of Office are, and all
 * of its old formats. The bytes show the container alone if its first entries do not tell more.
 */
export const documentTypes: readonly RegExp[] = [
  /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument|ms-(word|excel|powerpoint)|visio)\b/,
  /^application\/vnd\.(apple\.(keynote|numbers|pages)|ms-outlook|android\.package-archive)$/,
  /^application\/(epub\+zip|java-archive|x-xpinstall)$/,
  /^model\/3mf$/,
]

/**
 * Formats of which the library knows some files only: an MP3 can begin with anything, a binary STL has no signature,
 * nor has the beginning of most disk images.
 */
export const partlyDetected: readonly string[] = [
  ...[
    'audio/mpeg',
    'video/mpeg',
    'video/mp2t',
    'model/stl',
    'image/vnd.dwg',
    'application/x-apple-diskimage',
  ],
]
