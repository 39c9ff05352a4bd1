import { type ScopeFamily, scopeFamilies } from '@backline/sdk'
import type { Scope } from '../../data/environment.tsx'
import { Fieldset, Radio } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './ScopeTable.module.css'
import { texts } from './texts.ts'

type ScopesProps = {
  label: string
  value: Scope[]
  onChange(scopes: Scope[]): void
  error: string | undefined
}

/** Scopes by family, and the wildcards. Write does not include read, so a write scope is chosen with that to read. */
export function ScopeTable({ label, value: scopes, onChange, error }: ScopesProps) {
  const text = useTexts(texts)
  const wildcards: [Scope, string][] = [
    ['*', text.allScopes],
    ['*:read', text.readAll],
  ]
  const wildcard = wildcards.find(([scope]) => scopes.includes(scope))?.[0]
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope])
  const choose = (scope: Scope | undefined) =>
    onChange(scope === undefined ? [] : scope === '*' ? ['*'] : [scope, ...scopes.filter(isWrite)])
  const toggleWrite = (family: ScopeFamily) => {
    const [read, write] = [`${family}:read`, `${family}:write`] as const
    if (scopes.includes(write)) return toggle(write)
    const added = wildcard === '*:read' || scopes.includes(read) ? [write] : [read, write]
    onChange([...scopes, ...added])
  }
  const isAll = wildcard === '*'
  return (
    <Fieldset legend={label} error={error}>
      <Row gap={4} wraps>
        {([...wildcards, [undefined, text.someScopes]] as [Scope | undefined, string][]).map(
          ([scope, label]) => (
            <Radio
              key={label}
              name="wildcard"
              label={label}
              checked={wildcard === scope}
              onChange={() => choose(scope)}
            />
          ),
        )}
      </Row>
      {!isAll && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{text.resource}</th>
              <th scope="col">{text.read}</th>
              <th scope="col">{text.write}</th>
            </tr>
          </thead>
          <tbody>
            {scopeFamilies.map((family) => {
              const writes = scopes.includes(`${family}:write`)
              const isImplied = wildcard === '*:read'
              return (
                <tr key={family}>
                  <th scope="row">
                    <code>{family}</code>
                  </th>
                  <td>
                    <Cell
                      label={text.readOf(family)}
                      isChecked={isImplied || scopes.includes(`${family}:read`)}
                      isDisabled={isImplied}
                      onToggle={() => toggle(`${family}:read`)}
                    />
                  </td>
                  <td>
                    <Cell
                      label={text.writeOf(family)}
                      isChecked={writes}
                      onToggle={() => toggleWrite(family)}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Fieldset>
  )
}

const isWrite = (scope: Scope): boolean => scope.endsWith(':write') && !scope.startsWith('*')

type CellProps = { label: string; isChecked: boolean; isDisabled?: boolean; onToggle(): void }

const Cell = ({ label, isChecked, isDisabled = false, onToggle }: CellProps) => (
  <label className={styles.cell}>
    <input type="checkbox" aria-label={label} checked={isChecked} disabled={isDisabled} onChange={onToggle} />
  </label>
)
