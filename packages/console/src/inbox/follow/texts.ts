import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  followers: { en: 'Followers', de: 'Wer folgt' },
  followersNamed: {
    en: (names: string) => `Followers: ${names}`,
    de: (names: string) => `Es folgen: ${names}`,
  },
  follow: { en: 'Follow', de: 'Folgen' },
  unfollow: { en: 'Unfollow', de: 'Nicht mehr folgen' },
  youFollow: { en: 'You follow this conversation', de: 'Du folgst dieser Konversation' },
  youDoNot: { en: 'You do not follow this conversation', de: 'Du folgst dieser Konversation nicht' },
  findFollower: { en: 'Choose who follows', de: 'Auswählen, wer folgt' },
  me: { en: (name: string) => `${name} (you)`, de: (name: string) => `${name} (du)` },
  mention: { en: 'Follows since a mention', de: 'Folgt seit einer Erwähnung' },
  reply: { en: 'Follows since an answer', de: 'Folgt seit einer Antwort' },
  followFailed: { en: 'The followers were not changed', de: 'Wer folgt, wurde nicht geändert' },
})
