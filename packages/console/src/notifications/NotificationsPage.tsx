import { Page } from '../design/Page.tsx'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { NotificationList } from './NotificationList.tsx'

export const NotificationsPage = () => (
  <Page title={useTexts(pageTexts).notifications}>
    <NotificationList />
  </Page>
)
