import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  actions: common.actions,
  close: common.close,
  created: common.created,
  status: common.status,
  inviteTitle: { en: (name: string) => `Invite ${name}`, de: (name: string) => `${name} einladen` },
  opensBoth: {
    en: 'You get a link to send. It signs in to the live and the test environment, once.',
    de: 'Du bekommst einen Link zum Verschicken. Er meldet einmal an, in der Live- und der Testumgebung.',
  },
  opensTest: {
    en: 'You get a link to send. It signs in to the test environment alone, once.',
    de: 'Du bekommst einen Link zum Verschicken. Er meldet einmal an, nur in der Testumgebung.',
  },
  opensLive: {
    en: 'It opens the live environment alone: in the test environment the operator is archived.',
    de: 'Er öffnet nur die Live-Umgebung: In der Testumgebung ist das Mitglied archiviert.',
  },
  validFor: { en: 'Valid for', de: 'Gültig für' },
  makeLink: { en: 'Make a link', de: 'Link erzeugen' },
  inviteAgain: { en: 'Invite again', de: 'Erneut einladen' },
  send: {
    en: 'Send this link. It is shown only now, and whoever opens it is signed in. Earlier links no longer work.',
    de: 'Verschicke diesen Link. Er wird nur jetzt gezeigt, und wer ihn öffnet, ist angemeldet. Frühere Links gelten nicht mehr.',
  },
  copyLink: { en: 'Copy link', de: 'Link kopieren' },
  notInvited: { en: 'Not invited', de: 'Nicht eingeladen' },
  notRevoked: { en: 'The invitation was not revoked', de: 'Die Einladung wurde nicht widerrufen' },
  invitations: { en: 'Invitations', de: 'Einladungen' },
  noneYet: { en: 'Not invited yet.', de: 'Noch nicht eingeladen.' },
  usedOrExpires: { en: 'Ends or ended', de: 'Endet oder endete' },
  revoke: { en: 'Revoke', de: 'Widerrufen' },
  pending: { en: 'Pending', de: 'Offen' },
  accepted: { en: 'Accepted', de: 'Angenommen' },
  revoked: { en: 'Revoked', de: 'Widerrufen' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
})
