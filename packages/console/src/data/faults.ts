import { faultsOf, problemOf } from '../texts/faults.ts'

type Fault = { pointer?: string | undefined; detail: string }

const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The faults of a body that the server refused, by the place that they are about. */
export class Faults {
  readonly #faults: Fault[]

  constructor(faults: Fault[] = []) {
    this.#faults = faults
  }

  /** A unique field that another object has is a fault of this field, too: `taken` says so. */
  static of(error: unknown, taken?: string): Faults {
    const field = problemOf(error)?.code === 'already_exists' && problemOf(error)?.params.field
    return typeof field === 'string' && taken !== undefined
      ? new Faults([{ pointer: `/${field}`, detail: taken }])
      : new Faults(faultsOf(error))
  }

  get first(): string | undefined {
    return this.#faults[0]?.detail
  }

  /** The fault of a field. */
  at(pointer: string): string | undefined {
    const fault = this.#faults.find((each) => each.pointer === pointer)
    return fault && asSentence(fault.detail)
  }

  /** All faults of a field and of its parts. Items of a list are counted from 1. */
  under(pointer: string): string | undefined {
    const said = this.within(pointer).#faults.map(({ pointer: place = '', detail }) => {
      const part = place.slice(1)
      if (part === '') return asSentence(detail)
      return `${/^\d+$/.test(part) ? Number(part) + 1 : part}: ${detail}`
    })
    return said.length > 0 ? said.join('. ') : undefined
  }

  /** The faults below a pointer, with pointers relative to it. */
  within(pointer: string): Faults {
    return new Faults(
      this.#faults
        .filter(({ pointer: place = '' }) => `${place}/`.startsWith(`${pointer}/`))
        .map(({ pointer: place = '', detail }) => ({ pointer: place.slice(pointer.length), detail })),
    )
  }

  without(pointer: string): Faults {
    return new Faults(this.#faults.filter((each) => each.pointer !== pointer))
  }

  /** The faults of fields that the form does not have. */
  outside(names: string[]): string[] {
    return this.#faults
      .filter(({ pointer = '' }) => !names.some((name) => `${pointer}/`.startsWith(`/${name}/`)))
      .map(({ pointer, detail }) => (pointer ? `${pointer.slice(1)}: ${detail}` : detail))
  }

  /** Whether there are faults, and all of them are about these fields. */
  areAllIn(names: string[]): boolean {
    return this.count > 0 && this.outside(names).length === 0
  }

  get count(): number {
    return this.#faults.length
  }
}
