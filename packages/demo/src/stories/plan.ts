import type { Story } from './story.ts'

/** Fernhill Plan: software for planning projects. */
export const plan: Story[] = [
  {
    department: 'Technical support',
    category: 'Sync and calendar',
    tags: ['sync', 'bug'],
    weight: 2,
    hold: 'Waiting for engineering',
    subjects: [
      'Calendar does not sync',
      'Tasks appear twice',
      'Changes on my {device} do not show in {browser}',
      'Times are one hour off',
    ],
    openings: [
      'Since {weekday} my calendar does not take over the deadlines from Plan any more.',
      'Every task that I create on my {device} shows up twice in {browser}.',
      'All meetings of our team in {city} are one hour late in the calendar.',
      'What my colleagues change reaches me only after I reload the page.',
    ],
    additions: [
      'Connecting it again did not help.',
      'It concerns {seats} people in our team.',
      'Before the update of {weekday} it worked well.',
      'I can share my screen if you like.',
    ],
    exchanges: [
      ['Which version is shown below Settings → About?', 'It says 8.{minor}, on my {device}.'],
      [
        'Which time zone is set in your profile, and which on the {device}?',
        'The profile says UTC. The {device} is set to local time.',
      ],
      [
        'Could you sign out on all devices and connect only one of them again?',
        'Done. It has worked for ten minutes now.',
      ],
    ],
    notes: [
      'Reproduced with two accounts in {browser}. Ticket PLAN-2{minor}.',
      'Webhook of the calendar expired on {weekday}; the renewal job had failed.',
      'Time zone of the profile is UTC for accounts from the import.',
    ],
    solutions: [
      'The connection to your calendar had expired. I have renewed it, and missing deadlines appear within minutes.',
      'This was a fault in version 8.{minor}. The update of today corrects it; please reload the page once.',
      'Please set your time zone below Profile → Region. All meetings move to the right hour by themselves.',
    ],
  },
  {
    department: 'Technical support',
    category: 'Performance and outages',
    tags: ['outage', 'bug'],
    isUrgent: true,
    hold: 'Waiting for engineering',
    subjects: [
      'Nothing loads since {time}',
      'Board with many cards is very slow',
      'Error 502 for the whole team',
      'Uploads hang at 99 %',
    ],
    openings: [
      'Plan has been down for our whole team since {time}. We see an error 502.',
      'Our board has about two thousand cards and needs half a minute to open in {browser}.',
      'Uploads stop at 99 % and then start again from the beginning.',
      'Searching takes so long that we have stopped using it.',
    ],
    additions: [
      'We have a presentation this {daytime}!',
      'Your status page shows everything in green.',
      '{seats} people cannot work at the moment.',
      'On the {device} it is the same.',
    ],
    exchanges: [
      [
        'Are you behind a company proxy, and does it work over a phone’s connection?',
        'Over the phone it works, so it is the proxy.',
      ],
      ['Could you send the request id at the bottom of the error page?', 'It says {order}.'],
      ['How big is the file?', 'About 800 MB, a video.'],
    ],
    notes: [
      'Incident of {time}, region {city}. Status page was late by 15 minutes.',
      'Board query without the archive flag; index missing. With engineering.',
      'Proxy of the customer cuts requests after 60 s.',
    ],
    solutions: [
      'The outage ended at {time}. One of our databases had failed over; nothing is lost. A report follows by mail.',
      'I have archived the finished cards of the last year for you, and the board opens in two seconds.',
      'Your proxy ends uploads after a minute. With the desktop app they go on where they were; that one is not affected.',
    ],
  },
  {
    department: 'Technical support',
    category: 'How to',
    tags: ['question'],
    weight: 3,
    subjects: [
      'How do I copy a project?',
      'Sharing with people outside',
      'Export to a spreadsheet',
      'Recurring tasks on weekdays',
      'Bring back a deleted board',
    ],
    openings: [
      'Is there a way to copy a project with all its tasks, but without the comments?',
      'How can I show a board to a client who has no account?',
      'I would like to export all tasks of {month} to a spreadsheet.',
      'Can a task repeat on every {weekday}?',
      'A colleague has deleted our board by mistake. Can it be brought back?',
    ],
    additions: [
      'I looked through the help and did not find it.',
      'We are on the {plan} plan.',
      'It would save me hours each week.',
    ],
    exchanges: [
      ['Are you an administrator of the project?', 'I think so, I created it.'],
      ['Shall the client be able to comment, or only to read?', 'Only to read.'],
      ['Do you remember when it was deleted?', 'On {weekday}, at about {time}.'],
    ],
    notes: ['Feature request 311, one more vote.', 'Help article is out of date, told the writers.'],
    solutions: [
      'Open the project, choose ⋯ → Duplicate and untick Comments. Everything else is copied.',
      'Choose Share → Public link → Read only. You can set a password and an end date there.',
      'The board is back, with all its cards. Deleted boards stay in the bin of administrators for 30 days.',
      'Below ⋯ → Export you find CSV and XLSX, with a filter for the month.',
    ],
  },
  {
    department: 'Technical support',
    category: 'API and integrations',
    tags: ['api'],
    hold: 'Waiting for engineering',
    subjects: [
      'Webhooks arrive late',
      '429 from your API',
      'OAuth token expires too soon',
      'Integration with the chat stopped',
    ],
    openings: [
      'Webhooks for new tasks arrive up to ten minutes late since {weekday}.',
      'We receive 429 although we send fewer requests than documented.',
      'Our token is refused after an hour. We thought that it lives for a day.',
      'The integration with our chat has posted nothing since {time}.',
    ],
    additions: [
      'Request id: {order}.',
      'Our endpoint answers in less than 200 ms.',
      'Nothing has changed on our side.',
    ],
    exchanges: [
      [
        'Do you send all requests with the same key, also those of your background jobs?',
        'Yes, all of them. I see what you mean.',
      ],
      [
        'Which status does your endpoint return?',
        'Always 200. Our log has no entry in that time, so nothing reached us.',
      ],
    ],
    notes: ['Queue lag in region {city} from {time} on.', 'Token lifetime in the docs is wrong. Fixed.'],
    solutions: [
      'The limit counts per key. With a key of their own for the jobs, your requests stay below it.',
      'Deliveries were delayed by a queue that had grown. All have been sent now, in their order.',
      'Access tokens live for an hour, refresh tokens for 90 days. The page that said otherwise is corrected, sorry.',
    ],
  },
  {
    department: 'Billing',
    category: 'Subscriptions',
    tags: ['subscription'],
    weight: 2,
    hold: 'Waiting for accounting',
    subjects: [
      'Change from {plan} to another plan',
      'Add {seats} seats',
      'Cancel our subscription',
      'Charged after the trial',
    ],
    openings: [
      'We would like to change from monthly to yearly payment on the {plan} plan. What happens to the current month?',
      'Please add {seats} seats to our account from {month} on.',
      'I want to cancel. The button in the settings does nothing.',
      'I was charged {amount}, although I thought that my trial was still running.',
    ],
    additions: [
      'We are a non-profit. Is there a discount?',
      'Our budget for the year closes on {weekday}.',
      'I like the product, but my team does not use it.',
    ],
    exchanges: [
      [
        'Shall the seats be active at once, or from the next invoice on?',
        'From the next invoice on, please.',
      ],
      [
        'May I ask what was missing, so that I can pass it on?',
        'Mostly time tracking. Everything else was fine.',
      ],
    ],
    notes: ['Discount for non-profits: 40 %, needs a certificate.', 'Button was hidden by an ad blocker.'],
    solutions: [
      'Your plan changes at the end of the period, and the days that you have paid for are deducted.',
      'The {seats} seats are on your next invoice and can be given out from then on.',
      'Your subscription ends on the last day of {month}. Until then everything stays as it is.',
      'I have refunded {amount}, and your account is on the free plan now.',
    ],
  },
  {
    department: 'Trust and safety',
    category: 'Privacy requests',
    tags: ['privacy'],
    hold: 'Waiting for the customer',
    subjects: [
      'Please delete my account',
      'Copy of my data',
      'Stop sending me newsletters',
      'Data processing agreement',
    ],
    openings: [
      'Please delete my account and everything that you know about me.',
      'I request a copy of my personal data under Article 15 of the GDPR.',
      'I have unsubscribed twice and still get the newsletter each {weekday}.',
      'Our lawyers need a signed data processing agreement before we start with {seats} seats.',
    ],
    additions: ['Please confirm when it is done.', 'My address is the one that I write from.'],
    exchanges: [
      [
        'The account still holds {amount}. Where shall we send it before we delete it?',
        'To the account that I usually pay from.',
      ],
      ['Could you confirm the request from within your account?', 'Just did, at {time}.'],
    ],
    notes: ['Deadline: one month from today.', 'Address is on two lists. Removed from both.'],
    solutions: [
      'Your account and its data are deleted. Invoices stay for the time that the law demands.',
      'The copy of your data is ready below Profile → Privacy for the next 14 days.',
      'You are off both lists now. One of them had your address with a capital letter, sorry.',
      'The signed agreement is below Organisation → Documents.',
    ],
  },
]
