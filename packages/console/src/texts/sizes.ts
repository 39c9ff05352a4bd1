const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** "1.2 MB", "8 bytes" */
export function sizeText(bytes: number, language: string): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(bytes / 1_000 ** step)
}
