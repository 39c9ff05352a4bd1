type Colour = [red: number, green: number, blue: number, alpha: number]

/** A computed colour of the browser, `rgb(…)` or `rgba(…)`. */
export function colourOf(computed: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (computed.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue, alpha]
}

/** The colour that is seen if one lies above an opaque one. */
export const above = ([red, green, blue, alpha]: Colour, [r, g, b]: Colour): Colour => [
  red * alpha + r * (1 - alpha),
  green * alpha + g * (1 - alpha),
  blue * alpha + b * (1 - alpha),
  1,
]

/** Relative luminance (WCAG 2.2). */
function luminanceOf([red, green, blue]: Colour): number {
  const [r, g, b] = [red, green, blue].map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two opaque colours, from 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a) as [
    number,
    number,
  ]
  return (lighter + 0.05) / (darker + 0.05)
}
