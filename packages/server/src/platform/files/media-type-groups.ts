import { words } from '../kernel/words.ts'

/*
 * Media types that agree with each other: names of one format, and formats of one container that programs name by one
 * another. Names as clients send them, by the registry of IANA, the tables of browsers and operating systems.
 */

const isoMedia = words(`
  video/mp4 audio/mp4 application/mp4 video/quicktime video/x-quicktime video/x-m4v video/m4v audio/x-m4a
  audio/m4a audio/x-m4b audio/x-m4p audio/mp4a-latm video/3gpp audio/3gpp video/3gpp2 audio/3gpp2 video/3gp
  audio/3gp`)

const legacyOffice = words(`
  application/msword application/vnd.ms-word application/x-msword application/vnd.ms-excel application/msexcel
  application/x-msexcel application/x-excel application/vnd.ms-powerpoint application/mspowerpoint
  application/powerpoint application/x-mspowerpoint`)

export const groups: readonly (readonly string[])[] = [
  // Images
  words('image/jpeg image/jpg image/pjpeg image/jpe image/x-jpeg'),
  words('image/png image/x-png image/apng image/vnd.mozilla.apng'),
  words('image/gif image/x-gif'),
  words('image/bmp image/x-bmp image/x-ms-bmp image/x-windows-bmp'),
  words('image/x-icon image/vnd.microsoft.icon image/ico image/x-ico'),
  words('image/tiff image/tif image/x-tiff image/tiff-fx image/x-adobe-dng image/x-nikon-nef'),
  words('image/tiff image/x-canon-cr2 image/x-sony-arw image/x-olympus-orf image/x-panasonic-rw2'),
  words('image/heic image/heif image/heic-sequence image/heif-sequence'),
  words('image/jp2 image/jpx image/jpm image/j2c image/jpeg2000 image/jpeg2000-image image/x-jp2'),
  words('image/vnd.adobe.photoshop image/x-photoshop image/psd image/x-psd application/x-photoshop'),
  words('image/vnd.adobe.photoshop application/photoshop application/psd'),
  words('image/vnd.dwg image/x-dwg application/acad application/x-acad application/dwg application/x-dwg'),
  words('image/vnd.ms-photo image/jxr'),
  // Audio and video
  isoMedia,
  words('video/matroska video/x-matroska audio/matroska audio/x-matroska video/webm audio/webm'),
  words('application/ogg audio/ogg video/ogg audio/opus audio/vorbis audio/x-vorbis+ogg audio/speex'),
  words('application/vnd.ms-asf audio/x-ms-asf video/x-ms-asf video/x-ms-wmv audio/x-ms-wma video/x-ms-wm'),
  words('video/mpeg video/mp1s video/mp2p video/x-mpeg video/mpg video/mp2t video/vnd.dlna.mpeg-tts'),
  words('audio/mpeg audio/mp3 audio/x-mp3 audio/mpeg3 audio/x-mpeg audio/x-mpeg-3 audio/mpa audio/mp2'),
  words('audio/aac audio/x-aac audio/aacp audio/x-hx-aac-adts audio/vnd.dlna.adts'),
  words('audio/wav audio/wave audio/x-wav audio/vnd.wave audio/x-pn-wav'),
  words('video/vnd.avi video/avi video/msvideo video/x-msvideo'),
  words('audio/flac audio/x-flac'),
  words('audio/aiff audio/x-aiff audio/aifc'),
  words('audio/midi audio/mid audio/x-midi audio/x-mid audio/sp-midi'),
  words('audio/amr audio/amr-wb audio/3gpp'),
  words('audio/x-caf audio/caf'),
  words('video/x-flv video/flv'),
  // Documents
  words(`
    application/pdf application/x-pdf application/acrobat application/illustrator application/postscript`),
  words('application/postscript application/eps application/x-eps image/eps image/x-eps'),
  ['application/rtf', 'text/rtf', 'application/x-rtf', 'text/richtext', ...legacyOffice],
  words('application/x-mobipocket-ebook application/vnd.amazon.ebook'),
  words('application/pgp-encrypted application/pgp application/pgp-signature application/pgp-keys'),
  // Programs that export tables and documents for Office as HTML or XML send them under its old types.
  ['text/html', 'application/xhtml+xml', ...legacyOffice],
  ['application/xml', 'text/xml', ...legacyOffice],
  // Archives
  words('application/zip application/x-zip application/x-zip-compressed multipart/x-zip'),
  words(`
    application/gzip application/x-gzip application/x-gunzip application/x-tgz application/x-gtar-compressed`),
  words('application/gzip application/x-compressed-tar application/tar+gzip'),
  words('application/x-tar application/tar application/x-gtar application/x-ustar'),
  words('application/x-bzip2 application/x-bzip application/bzip2'),
  words('application/x-xz application/xz'),
  words('application/x-7z-compressed application/x-7zip application/7z'),
  words('application/x-rar-compressed application/vnd.rar application/x-rar application/rar'),
  words('application/vnd.ms-cab-compressed application/x-cab application/cab'),
  words('application/x-iso9660-image application/vnd.efi.iso application/x-cd-image'),
  // Programs
  words(`
    application/x-msdownload application/vnd.microsoft.portable-executable application/x-dosexec
    application/x-msdos-program application/exe application/x-exe application/x-executable`),
  words('application/x-elf application/x-executable application/x-sharedlib application/x-pie-executable'),
  words('application/x-mach-binary application/x-executable application/x-sharedlib'),
  words('application/x-deb application/vnd.debian.binary-package application/x-debian-package'),
  words('application/x-rpm application/x-redhat-package-manager application/x-rpm-package'),
  words('application/java-archive application/x-java-archive application/x-jar'),
  words('application/java-vm application/x-java-vm application/java application/x-java-class'),
  // Fonts and others
  words('font/ttf font/otf font/sfnt application/x-font-ttf application/x-font-otf application/font-sfnt'),
  words(`
    font/ttf font/otf application/x-font-truetype application/x-font-opentype application/vnd.ms-opentype`),
  words('font/woff application/font-woff application/x-font-woff'),
  words('font/woff2 application/font-woff2'),
  words('application/x-sqlite3 application/vnd.sqlite3 application/sqlite3'),
  words('application/vnd.tcpdump.pcap application/x-pcap application/cap application/x-pcapng'),
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
export const partlyDetected: readonly string[] = words(
  'audio/mpeg video/mpeg video/mp2t model/stl image/vnd.dwg application/x-apple-diskimage',
)
