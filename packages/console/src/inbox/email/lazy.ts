import { lazyModule } from '../../app/lazy.tsx'

const email = lazyModule(() => import('./pages.ts'))

/** The parts that messages and conversations by mail alone have. They are loaded with the first of them. */
export const MailLine = email((m) => m.MailLine)
export const Quoted = email((m) => m.Quoted)
export const DeliveryState = email((m) => m.DeliveryState)
export const MailFields = email((m) => m.MailFields)
