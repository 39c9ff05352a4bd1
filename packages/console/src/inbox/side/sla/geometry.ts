/** Heights in pixels: labels of marks, then the line, then ticks. */
export const geometry = {
  normal: { top: 21, bar: 12, ticks: 32 },
  large: { top: 24, bar: 18, ticks: 34 },
}

export type Size = keyof typeof geometry
export type Geometry = (typeof geometry)[Size]
