import { useTexts } from '../../texts/language.tsx'
import styles from './Email.module.css'
import { texts } from './texts.ts'

/** The history that was cut off the end of a mail. */
export function Quoted({ quoted }: { quoted: string }) {
  const text = useTexts(texts)
  return (
    <details className={styles.fold}>
      <summary>{text.quoted}</summary>
      <div className={styles.quoted} dir="auto">
        {quoted}
      </div>
    </details>
  )
}
