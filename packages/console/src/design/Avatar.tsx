import styles from './Avatar.module.css'
import { classes } from './classes.ts'

const hues = 6

/** The same name always has the same colour. */
const hueOf = (name: string): number =>
  [...name].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 997, 7) % hues

const initialsOf = (name: string): string => {
  const words = name.split(/[\s._@-]+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0])
  return letters.join('').toUpperCase()
}

type AvatarProps = {
  name: string
  size?: number
  presence?: 'online' | 'away' | 'busy' | 'offline' | undefined
}

/** Initials of a person whose name stands beside it. */
export function Avatar({ name, size = 24, presence }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(styles.avatar, styles[`hue${hueOf(name)}`])}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
    >
      {initialsOf(name)}
      {presence && <span className={classes(styles.presence, styles[presence])} />}
    </span>
  )
}
