import { Page } from '../design/Page.tsx'

export function Setup() {
  return <Page title="Setup">{null}</Page>
}
