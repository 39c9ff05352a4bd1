import { Link } from 'wouter'
import type { EnvironmentName } from '../data/client.ts'
import { buttonClass } from '../design/Button.tsx'
import { Page } from '../design/Page.tsx'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'

/** Stands in place of an environment in which the person who has signed in is no operator. @param open one in which */
export function ClosedEnvironment({ open }: { open: EnvironmentName }) {
  const text = useTexts(texts)
  const closed = open === 'live' ? 'test' : 'live'
  return (
    <main>
      <Page title={text.closed(text[closed])} intro={text.closedHint}>
        <div>
          <Link href={`/${open}/inbox`} className={buttonClass('primary')}>
            {text.switchTo(text[open])}
          </Link>
        </div>
      </Page>
    </main>
  )
}
