import type { BrokenFilter, ViewCount } from '@backline/sdk'
import { Link } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon, type IconName } from '../../design/Icon.tsx'
import { Stack, Truncated } from '../../design/Layout.tsx'
import { brokenText } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useConversations } from '../model/conversations.ts'
import { useUnsent } from '../model/outbox.tsx'
import { texts } from '../texts.ts'
import { belongsTo, builtInViews } from './built-in.ts'
import { useViewCounts } from './counts.ts'
import { useSavedViews } from './use-view.ts'
import styles from './ViewLinks.module.css'

/** Links to the views in the sidebar, with the number of conversations in each. */
export function ViewLinks({ chosen, isCounted }: { chosen: string; isCounted: boolean }) {
  const text = useTexts(texts)
  const counts = useViewCounts(isCounted)
  const { operator } = useEnvironment()
  const unsent = useUnsent()
  const withUnsent = useConversations([...unsent.keys()])
  const { data: saved, isError, refetch } = useSavedViews()
  return (
    <>
      <ul className={styles.links} aria-label={text.views}>
        {builtInViews.map((view) => {
          const { name, icon } = view
          const inView = withUnsent.filter((each) => belongsTo(view, each, operator.id))
          return (
            <li key={name}>
              <ViewLink
                name={name}
                label={text[name]}
                icon={icon}
                count={counts[name]}
                unsentCount={inView.reduce((sum, { id }) => sum + (unsent.get(id) ?? 0), 0)}
                isChosen={name === chosen}
              />
            </li>
          )
        })}
      </ul>
      {!saved && isError && (
        <Stack role="alert" className={styles.failed}>
          <p>{text.savedViewsFailed}</p>
          <Button icon="refresh" onClick={() => void refetch()}>
            {text.retry}
          </Button>
        </Stack>
      )}
      {saved && saved.length > 0 && (
        <>
          <h2 className={styles.heading}>{text.savedViews}</h2>
          <ul className={styles.links} aria-label={text.savedViews}>
            {saved.map(({ id, name, broken }) => (
              <li key={id}>
                <ViewLink
                  name={id}
                  label={name}
                  icon="view"
                  count={counts[id]}
                  broken={broken ?? counts[id]?.broken}
                  isChosen={id === chosen}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

type ViewLinkProps = {
  name: string
  label: string
  icon: IconName
  count: ViewCount | undefined
  broken?: BrokenFilter | null | undefined
  unsentCount?: number
  isChosen: boolean
}

function ViewLink({ name, label, icon, count, broken, unsentCount = 0, isChosen }: ViewLinkProps) {
  const text = useTexts(texts)
  const { number } = useFormats()
  return (
    <Link
      href={`/${name}`}
      className={classes(styles.link, broken && styles.broken)}
      aria-current={isChosen ? 'page' : undefined}
      title={broken ? text.broken(brokenText(broken)) : undefined}
    >
      <Icon name={broken ? 'warning' : icon} />
      <Truncated>{label}</Truncated>
      {broken && <span className="visually-hidden">{text.broken(brokenText(broken))}</span>}
      {unsentCount > 0 && (
        <span className={styles.unsent} title={text.notSent(unsentCount)}>
          <Icon name="warning" size={14} />
          <span className="visually-hidden">{text.notSent(unsentCount)}</span>
        </span>
      )}
      {typeof count?.count === 'number' && count.count > 0 && (
        <small className={styles.count}>
          {number(count.count)}
          {count.more && '+'}
        </small>
      )}
    </Link>
  )
}
