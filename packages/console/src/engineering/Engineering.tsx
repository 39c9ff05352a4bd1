import { Page } from '../design/Page.tsx'

export function Engineering() {
  return <Page title="Engineering">{null}</Page>
}
