/* Articles and FAQs of the demo. */

export const collections = [
  { name: 'Fernhill Pay', slug: 'fernhill-pay', position: 10 },
  { name: 'Fernhill Home', slug: 'fernhill-home', position: 20 },
  { name: 'Fernhill Plan', slug: 'fernhill-plan', position: 30 },
  { name: 'Your account', slug: 'your-account', position: 40 },
]

/** `collection` is a slug. Articles are published unless they are drafts. */
export const articles = [
  {
    collection: 'fernhill-pay',
    slug: 'why-was-my-card-declined',
    title: 'Why was my card declined?',
    body: `Most refused payments have one of four reasons:

1. The **contactless limit** is used up. Pay once with the PIN to reset it.
2. The **country** is switched off below *Card → Settings → Regions*.
3. A **confirmation in the app** was not given in time.
4. The **daily limit** is reached. You can raise it in the app at once.

If none of these fits, write to us with the time of the payment.`,
    tags: ['card', 'declined'],
  },
  {
    collection: 'fernhill-pay',
    slug: 'lost-or-stolen-card',
    title: 'My card is lost or stolen',
    body: `**Freeze the card in the app now**: *Card → Freeze*. You can undo this if you find it.

Then choose *Replace card*. A virtual card is ready within a minute, the new one arrives in three to five days.`,
    tags: ['card', 'lost card'],
  },
  {
    collection: 'fernhill-pay',
    slug: 'dispute-a-payment',
    title: 'How to dispute a payment',
    body: `Open the payment and choose *I do not recognise this*. We ask the shop first.

The bank has **30 days** to decide. Until then the amount is credited to you with a reservation.`,
    tags: ['dispute'],
  },
  {
    collection: 'fernhill-home',
    slug: 'track-your-delivery',
    title: 'Track your delivery',
    body: `The link in the confirmation shows where your parcel is. It may show the same line for **two days** while the
parcel is on the road.

Large furniture comes with a carrier that calls you half an hour before.`,
    tags: ['delivery'],
  },
  {
    collection: 'fernhill-home',
    slug: 'returns',
    title: 'Returns within 30 days',
    body: `You can return everything within **30 days**, unused and in its box.

- *Small parcels*: show the code from your account at any parcel shop.
- *Furniture*: we collect it for free.

The money is back three days after the parcel has reached us.`,
    tags: ['return'],
  },
  {
    collection: 'fernhill-home',
    slug: 'missing-parts',
    title: 'A part is missing or broken',
    body: 'Tell us the **letter of the bag** from page two of the manual. Spare parts leave on the same day, by letter.',
    tags: ['damaged', 'replacement'],
  },
  {
    collection: 'fernhill-plan',
    slug: 'connect-your-calendar',
    title: 'Connect your calendar',
    body: `Choose *Settings → Calendar → Connect*. Deadlines appear within minutes.

**Times are off by an hour?** Set your time zone below *Profile → Region*.`,
    tags: ['sync'],
  },
  {
    collection: 'fernhill-plan',
    slug: 'share-a-board',
    title: 'Share a board with people outside',
    body: 'Choose *Share → Public link*. You can allow comments, set a password and an end date.',
    tags: ['question'],
  },
  {
    collection: 'fernhill-plan',
    slug: 'api-limits',
    title: 'Limits of the API',
    body: 'The API allows **100 requests a second for each key**. Beyond that it answers `429` with `Retry-After`.',
    tags: ['api'],
  },
  {
    collection: 'your-account',
    slug: 'new-phone',
    title: 'Sign in with a new phone',
    body: 'Choose *I have a new phone* below the code. We confirm your identity by video, which takes five minutes.',
    tags: ['login', 'security'],
  },
  {
    collection: 'your-account',
    slug: 'phishing',
    title: 'Is this e-mail from you?',
    body: 'We never ask for your **PIN**, your **code** or your **card number** by e-mail. Forward such mails to us and delete them.',
    tags: ['security'],
  },
  {
    collection: 'your-account',
    slug: 'export-your-data',
    title: 'Export or delete your data',
    body: 'Choose *Profile → Privacy*. The copy of your data is ready within a day.',
    tags: ['privacy'],
    isDraft: true,
  },
]

/** `article` is a slug. */
export const faqs = [
  {
    question: 'Why was my card declined?',
    answer: 'Most often the contactless limit is used up: pay once with the **PIN**.',
    article: 'why-was-my-card-declined',
    tags: ['card'],
  },
  {
    question: 'How do I block a lost card?',
    answer: 'Choose *Card → Freeze* in the app. It takes effect at once.',
    article: 'lost-or-stolen-card',
    tags: ['card'],
  },
  {
    question: 'Where is my parcel?',
    answer: 'The link in the confirmation shows it. One line for two days is usual.',
    article: 'track-your-delivery',
    tags: ['delivery'],
  },
  {
    question: 'How long can I return something?',
    answer: 'For **30 days**, unused and in its box.',
    article: 'returns',
    tags: ['return'],
  },
  {
    question: 'Why are my meetings one hour off?',
    answer: 'Set your time zone below *Profile → Region*.',
    article: 'connect-your-calendar',
    tags: ['sync'],
  },
  {
    question: 'Can a client see a board without an account?',
    answer: 'Yes, with *Share → Public link*.',
    article: 'share-a-board',
    tags: ['question'],
  },
  {
    question: 'Do you offer discounts for non-profits?',
    answer: 'Yes, 40 % on Fernhill Plan. Write to us with your certificate.',
    tags: ['subscription'],
  },
  {
    question: 'Where do I find my invoices?',
    answer: 'In your account, below *Orders*. Each has a PDF.',
    tags: ['invoice'],
  },
]
