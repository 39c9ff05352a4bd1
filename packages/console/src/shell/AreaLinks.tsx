import { Link, useLocation } from 'wouter'
import { Icon, type IconName } from '../design/Icon.tsx'
import styles from './AreaLinks.module.css'

type AreaLink = { path: string; label: string; icon: IconName }

/** Links to the pages of an area, relative to it. */
export function AreaLinks({ label, links }: { label: string; links: AreaLink[] }) {
  const [path] = useLocation()
  return (
    <ul className={styles.links} aria-label={label}>
      {links.map((link) => (
        <li key={link.path}>
          <Link
            href={`/${link.path}`}
            className={styles.link}
            aria-current={path.split('/')[1] === link.path ? 'page' : undefined}
          >
            <Icon name={link.icon} /> {link.label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
