import type { Faults } from '../data/faults.ts'

type NameOf<Draft, Value> = {
  [Name in keyof Draft]: Draft[Name] extends Value ? Name : never
}[keyof Draft] &
  string

type Described = { label: string; error: string | undefined }
type Control = Described & { value: string; onChange(event: { target: { value: string } }): void }

/** The properties of the controls of a form, by the names of its fields. */
export type Inputs<Draft> = {
  /** For a control that has and gives values of the type of the field. */
  field<Name extends keyof Draft & string>(
    name: Name,
  ): Described & { value: Draft[Name]; onChange(value: Draft[Name]): void }
  /** For a text. */
  input(name: NameOf<Draft, string>): Control
  /** For a choice; the empty one is null. */
  select(name: NameOf<Draft, string | null>): Control
}

type InputsOptions<Draft> = {
  draft: Draft
  labels: Record<keyof Draft, string>
  faults: Faults
  set(change: Partial<Draft>): void
}

export function inputsOf<Draft extends object>({
  draft,
  labels,
  faults,
  set,
}: InputsOptions<Draft>): Inputs<Draft> {
  const change = (name: keyof Draft, value: unknown) => set({ [name]: value } as Partial<Draft>)
  const described = (name: keyof Draft & string) => ({
    label: labels[name],
    error: faults.under(`/${name}`),
  })
  return {
    field: (name) => ({
      ...described(name),
      value: draft[name],
      onChange: (value) => change(name, value),
    }),
    input: (name) => ({
      ...described(name),
      value: draft[name] as string,
      onChange: ({ target }) => change(name, target.value),
    }),
    select: (name) => ({
      ...described(name),
      value: (draft[name] as string | null) ?? '',
      onChange: ({ target }) => change(name, target.value || null),
    }),
  }
}
