import { Page } from '../design/Page.tsx'

export function Knowledge() {
  return <Page title="Knowledge">{null}</Page>
}
