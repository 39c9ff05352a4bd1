import { commandFor, type Key, useAllCommands, useAllKeys } from '../app/commands.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { KeyHint } from '../design/KeyHint.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './KeysDialog.module.css'
import { listed } from './rank.ts'
import { texts } from './texts.ts'

/** All keys that do something on the page now, by group. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(texts)
  const commands = useAllCommands()
  const fromElements = useAllKeys()
  const meant = commands.filter((each) => each.shortcut && commandFor(commands, each.shortcut) === each)
  const ordered = listed(
    meant.map((each) => ({ ...each, id: each.label, isDangerous: false })),
    () => 0,
  )
  const groups = new Map<string, Key[]>()
  for (const { label, group, shortcut } of [...ordered, ...fromElements])
    groups.set(group, [...(groups.get(group) ?? []), { label, group, shortcut: shortcut! }])
  return (
    <Dialog isOpen onClose={onClose} title={text.keys} width="wide" isText>
      <div className={styles.groups}>
        {[...groups].map(([group, keys]) => (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
            <dl>
              {keys.map(({ label, shortcut }) => (
                <div key={label + shortcut} className={styles.key}>
                  <dt>{label}</dt>
                  <dd>
                    <KeyHint keys={shortcut} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
