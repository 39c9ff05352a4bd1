import { asciiOf, companies, domainOf } from './catalogue.ts'
import type { Random } from './random.ts'

/* Words and sentences that all stories share. */

const firstNames =
  'Alice Amir Ana Anton Aoife Beatriz Ben Carla Chen Chloe Daniel David Elena Emeka Emma Farid Fiona Freya George Grace Hana Hugo Ines Ivan Jack Jana Joao Jonas Julia Karim Kate Lars Laura Leila Leo Lucia Malik Maria Marta Mateo Mei Mia Nadia Nikhil Nina Noah Olga Oscar Paula Pedro Priya Rafael Rosa Ruth Samir Sara Sofia Sven Tariq Thomas Tomas Uma Vera Victor Wanjiru Yara Yuki Zofia'.split(
    ' ',
  )
const lastNames =
  'Abbott Almeida Andersen Bauer Becker Bianchi Brown Carvalho Chowdhury Costa Dubois Eriksen Fischer Fontaine Garcia Gomez Haddad Hansen Hughes Ivanova Jansen Johnson Kaya Khan Kim Kowalski Kumar Larsen Lefevre Lindqvist Lopez Martin Mbeki Moreau Murphy Nakamura Novak Nowak Okafor Oliveira Patel Pereira Petrov Quinn Reid Rossi Santos Schmidt Silva Singh Smith Sousa Suzuki Taylor Tran Vargas Vidal Walker Weber Williams Wong Yilmaz Young Zhang'.split(
    ' ',
  )

const timezones = ['Europe/London', 'Europe/Berlin', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo']
const plans = ['starter', 'team', 'business'] as const

export type Person = {
  id: string
  first: string
  last: string
  email: string
  timezone: string
  plan: (typeof plans)[number]
  /** The name of the company for which they write; null for none. */
  company: string | null
}

/** All about a person follows from their number. */
export function personOf(random: Random, number: number): Person {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  const company = random.chance(0.4) ? random.pick(companies).name : null
  const domain = company === null ? 'example.net' : domainOf(company)
  return {
    id: `user_${10_000 + number}`,
    first,
    last,
    email: `${asciiOf(first)}.${asciiOf(last)}.${number}@${domain}`,
    timezone: random.pick(timezones),
    plan: random.pick(plans),
    company,
  }
}

const values = {
  merchant: [
    'Café Lumen',
    'Hartley Books',
    'the supermarket',
    'Rail Direct',
    'Bergmann Sport',
    'a petrol station',
  ],
  city: ['Lisbon', 'Porto', 'Berlin', 'Vienna', 'Dublin', 'Lyon', 'Gdansk', 'Utrecht', 'Malmö', 'Turin'],
  weekday: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  month: ['January', 'February', 'March', 'April', 'May', 'June', 'September', 'October', 'November'],
  daytime: ['morning', 'afternoon', 'evening'],
  device: ['iPhone', 'Android phone', 'tablet', 'MacBook', 'work laptop'],
  browser: ['Firefox', 'Chrome', 'Safari', 'Edge'],
  carrier: ['Swift Parcel', 'BlueVan', 'City Courier', 'Post Express'],
  item: ['desk', 'floor lamp', 'armchair', 'bookshelf', 'garden table', 'wardrobe', 'coffee grinder', 'rug'],
  colour: ['oak', 'white', 'dark green', 'sand', 'walnut', 'blue'],
  plan: ['Team', 'Business', 'Starter', 'Studio'],
}

export type Details = Record<string, string>

/** The values of the words in braces, the same in a whole conversation. */
export function detailsOf(random: Random): Details {
  const picked = Object.entries(values).map(([name, all]) => [name, random.pick(all)])
  const time = `${random.between(7, 21)}:${String(random.between(0, 59)).padStart(2, '0')}`
  return {
    ...Object.fromEntries(picked),
    time,
    nextday: random.pick(values.weekday),
    order: `${random.pick(['A', 'B', 'K', 'M', 'R'])}${random.between(10_000, 99_999)}`,
    amount: `€${random.between(4, 420)}.${String(random.between(0, 99)).padStart(2, '0')}`,
    seats: String(random.between(3, 60)),
    minor: String(random.between(10, 60)),
  }
}

/** Replaces the words in braces. @throws Error for an unknown one */
export const filled = (text: string, details: Details): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = details[name]
    if (value === undefined) throw new Error(`No value for {${name}} in: ${text}`)
    return value
  })

export const sentences = {
  greetings: [
    'Hello,',
    'Hi there,',
    'Good morning,',
    'Dear support team,',
    'Hi,',
    'Good evening,',
    'Hello Fernhill,',
  ],
  goodbyes: [
    'Thanks,',
    'Best regards,',
    'Kind regards,',
    'Many thanks in advance,',
    'Cheers,',
    'All the best,',
  ],
  nudges: [
    'Is there any news?',
    'Any update on this? I have been waiting since {weekday}.',
    'Hello? Is anybody there?',
    'I still have the same problem, by the way.',
    'Just making sure that my message has reached you.',
    'Sorry to push, but I need to know by {nextday}.',
  ],
  acknowledgements: [
    'thank you for your message, and sorry for the trouble.',
    'I am sorry to hear that. Let us sort it out.',
    'thanks for getting in touch.',
    'thank you for the details, that helps a lot.',
    'I understand how annoying this is. I am looking into it now.',
    'thanks for your patience.',
    'I have read through your case.',
    'good that you write to us.',
  ],
  questions: [
    'can you confirm this?',
    'have you seen this before?',
    'please have a look when you can.',
    'is it all right if I go ahead?',
  ],
  waits: [
    'I have passed this on and come back to you as soon as I hear from them.',
    'We are waiting for an answer from our partner. I have an eye on it.',
    'My colleagues are checking it. Usually that takes one or two days.',
    'This needs a second pair of eyes on our side; I will write again by {nextday}.',
  ],
  thanks: [
    'That worked, thank you so much!',
    'Great, thanks for the quick help.',
    'Perfect. I wish every support were like this.',
    'It is fine now. Thanks!',
    'Thank you, that was what I needed.',
    'All good now, have a nice {daytime}.',
    'Wonderful, thank you for your patience with me.',
  ],
  farewells: [
    'I am glad to hear that. Just write again if anything comes up.',
    'You are welcome! Have a good {daytime}.',
    'Happy to help. I close this for now; a reply opens it again.',
    'Thank you for letting me know. All the best!',
    'My pleasure. Enjoy your {daytime}!',
  ],
}
