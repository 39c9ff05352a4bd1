import { words } from '../kernel/words.ts'
import { extensionOf } from './file-names.ts'
import type { Detected } from './type-of-bytes.ts'

/**
 * Programs, scripts, and files that start or install one when they are opened: the lists of Gmail ("File types blocked
 * in Gmail") and Outlook ("Blocked attachments in Outlook"), without formats that nothing opens any more, and their
 * equivalents on macOS, Linux and Android. Disk images are among them: Windows does not mark files in them as
 * downloaded.
 */
export const defaultDeniedExtensions: readonly string[] = [
  // Windows: programs, libraries, installers
  ...words(`
    appinstaller application appref-ms appx appxbundle asp aspx bat cgi cjs cmd com cpl dll drv ex ex_ exe
    gadget msi msix msixbundle msp mst msu ocx pif scr sys vxd xll`),
  // Windows: scripts, settings and links that run something
  ...words(`
    cab chm diagcab diagcfg diagpkg hlp hta inf ins isp js jse library-ms lnk mjs msc msh msh1 msh2 mshxml nsh
    ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 reg scf sct search-ms settingcontent-ms shb shs theme url
    vb vbe vbs website ws wsc wsf wsh xbap`),
  // Databases and add-ins of Office that run code when they are opened
  ...words('accde ade adp mam mda mde ppam wll xlam'),
  // Disk images
  ...words('dmg img iso vhd vhdx'),
  // macOS
  ...words('app applescript command dylib fileloc inetloc macho mpkg osax pkg scpt scptd terminal workflow'),
  // Linux and other Unix systems
  ...words('appimage bash csh deb desktop elf fish flatpakref ko ksh rpm run sh snap so tcsh zsh'),
  // Android, Java, extensions of browsers, scripts of other languages
  ...words('aab apk class crx jar jnlp jsp lua phar php pl py pyc pyo pyw pyz pyzw rb tcl xapk xpi'),
]

/**
 * Whether the extension of a name, or that of the bytes, is in a list of extensions without a dot. The case does not
 * matter. `type` is null before the bytes are there.
 */
export function isDenied(list: readonly string[], filename: string, type: Detected | null): boolean {
  const denied = new Set(list.map((extension) => extension.toLowerCase().replace(/^\.+/, '')))
  const ofBytes = type !== null && typeof type === 'object' ? type.ext : ''
  return [extensionOf(filename), ofBytes, ofBytes.split('.').at(-1)!].some(
    (extension) => extension !== '' && denied.has(extension.toLowerCase()),
  )
}
