export { MailFields } from './compose/MailFields.tsx'
export { DeliveryState } from './DeliveryState.tsx'
export { MailLine } from './MailLine.tsx'
export { Quoted } from './Quoted.tsx'
