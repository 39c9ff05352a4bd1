import styles from './KeyHint.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const named: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
}

/** The keys of a shortcut, such as `mod k`. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={styles.keys} dir="ltr">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{named[key] ?? key.toUpperCase()}</kbd>
      ))}
    </span>
  )
}
