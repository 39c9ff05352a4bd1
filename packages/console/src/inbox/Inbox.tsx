import { Page } from '../design/Page.tsx'

export function Inbox() {
  return <Page title="Inbox">{null}</Page>
}
