import { useTexts } from '../../texts/language.tsx'
import styles from './Changes.module.css'
import { type Change, leavesOf } from './differences.ts'
import { texts } from './texts.ts'

/** The changed fields with their values before and after. */
export function Changes({ changes, caption }: { changes: Record<string, Change>; caption: string }) {
  const text = useTexts(texts)
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.before}</th>
            <th scope="col">{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {leavesOf(changes).map(([field, { from, to }]) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>
                <del className={styles.from}>{valueText(from)}</del>
              </td>
              <td>
                <ins className={styles.to}>{valueText(to)}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Texts without quotes unless they would be mistaken for something else. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : (JSON.stringify(value, null, 2) ?? '—')
