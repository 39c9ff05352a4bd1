import type { Story } from './story.ts'

/** Fernhill Pay: cards and accounts. */
export const pay: Story[] = [
  {
    department: 'Cards and accounts',
    category: 'Declined payments',
    tags: ['card', 'declined'],
    weight: 3,
    hold: 'Waiting for the bank',
    subjects: [
      'Card declined at {merchant}',
      'My card does not work',
      'Payment of {amount} refused',
      'Declined again, although there is money on the account',
    ],
    openings: [
      'My card was declined at {merchant} this {daytime}, and I had to leave my shopping at the till.',
      'I tried to pay {amount} at {merchant} and the terminal said "not authorised". The balance in the app is more than enough.',
      'Since {weekday} every online payment is refused. In shops the card works without a problem.',
      'I am on a trip in {city} and my card is refused everywhere. It worked at home on {weekday}.',
    ],
    additions: [
      'It is quite embarrassing, to be honest.',
      'I have not changed my limits and the card is valid for two more years.',
      'The app shows no notification about it.',
      'Cash withdrawals work.',
      'It is the second time this month.',
    ],
    exchanges: [
      [
        'Could you tell me whether you entered the PIN or paid contactless?',
        'Contactless the first time, then with the PIN. Both were refused.',
      ],
      [
        'Do you see a request to confirm the payment in the app, below Notifications?',
        'There is one from {time}, but it had expired when I opened it.',
      ],
      [
        'Which country is selected below Card → Settings → Regions?',
        'Only the country where I live. I did not know that this exists.',
      ],
      ['Is the amount in another currency than your account?', 'Yes, it was in Swiss francs.'],
    ],
    notes: [
      'Reason code 65: contactless limit exceeded. PIN resets it.',
      'Region block is on, see card settings. No sign of fraud.',
      'The issuer answered with code 91, which was their outage from {time} on.',
      'Third contact about the same card. Replace it if it happens again.',
    ],
    solutions: [
      'The contactless limit of your card was used up. Paying once with the PIN has reset it, so it works again.',
      'Payments abroad were switched off in the card settings. I have explained below how to allow {city}; please try the payment again.',
      'Our banking partner had an outage from {time} and refused payments by mistake. It is over, and your card was never blocked.',
      'The confirmation in the app was not given in time, which is why the bank refused. Please allow notifications for the app; then the request shows at once.',
    ],
  },
  {
    department: 'Cards and accounts',
    category: 'Lost or stolen cards',
    tags: ['card', 'lost card'],
    isUrgent: true,
    hold: 'Waiting for the carrier',
    subjects: [
      'Card stolen in {city}',
      'Lost my card, please block it',
      'Wallet gone, what now?',
      'Replacement card has not arrived',
    ],
    openings: [
      'My bag was stolen in {city} an hour ago, with my card in it. Please block it right away!',
      'I cannot find my card since {weekday}. I have frozen it in the app, but would like a new one.',
      'I ordered a replacement card on {weekday} last week, and it still is not here.',
      'I left my wallet on the train to {city}. There are two payments at {merchant} that are not mine.',
    ],
    additions: [
      'I have already filed a report with the police.',
      'My phone is fine, so I can use the app.',
      'I travel again on {weekday} and need a card by then.',
      'Please call me if that is quicker.',
    ],
    exchanges: [
      [
        'I have blocked the card. Which payments do you not recognise?',
        'The one of {amount} at {merchant}. All others are mine.',
      ],
      [
        'Shall we send the new card to the address in your profile?',
        'Yes please, the address is still correct.',
      ],
      [
        'Would you like to use a virtual card until the new one arrives?',
        'I did not know about that. Yes, please.',
      ],
    ],
    notes: [
      'Card blocked at {time}. Two disputed payments, {amount} in all.',
      'Sent express with {carrier}, because the customer travels on {weekday}.',
      'Police report is attached to the account.',
    ],
    solutions: [
      'The old card is blocked, the new one is on its way with {carrier}, and a virtual card is ready in your app now.',
      'Your replacement was delayed at the printer. It was handed to {carrier} today and should be with you by {weekday}.',
      'The payment of {amount} has been returned to your account. You need not do anything else.',
    ],
  },
  {
    department: 'Cards and accounts',
    category: 'Disputes',
    tags: ['dispute'],
    hold: 'Waiting for the bank',
    subjects: [
      'I do not know this payment of {amount}',
      '{merchant} has charged me twice',
      'Refund from {merchant} is missing',
      'Subscription that I had cancelled was charged',
    ],
    openings: [
      'There is a payment of {amount} to {merchant} on my statement that I have never made.',
      '{merchant} charged {amount} twice on {weekday}. I have only one receipt.',
      '{merchant} says that they refunded {amount} two weeks ago. I see nothing.',
      'I cancelled a subscription at {merchant} in the spring and was charged {amount} again.',
    ],
    additions: [
      'I have written to them twice without an answer.',
      'I can send the receipt if you need it.',
      'Please make sure that they cannot charge me again.',
    ],
    exchanges: [
      [
        'Could you send us the confirmation of the cancellation, or a picture of the receipt?',
        'I have attached it to my account. It is dated {weekday}.',
      ],
      [
        'Has anybody else access to your card, for example by a family account?',
        'My partner has a card of their own. We both do not know this shop.',
      ],
    ],
    notes: [
      'Chargeback opened, reason 13.2. Merchant has 30 days.',
      'Both charges have the same authorisation. One of them will fall away by itself on {weekday}.',
      'Acquirer confirms the refund, trace number in the case.',
    ],
    solutions: [
      'One of the two was a reservation and has been released. Your statement shows {amount} once now.',
      'The bank has decided in your favour and {amount} is back on your account.',
      'The refund had been sent to your previous card. We have moved it to your account, where you see it today.',
    ],
  },
  {
    department: 'Trust and safety',
    category: 'Account access',
    tags: ['login', 'security'],
    weight: 2,
    subjects: [
      'Locked out of my account',
      'No code arrives',
      'New phone, cannot sign in',
      'Strange e-mail in your name',
    ],
    openings: [
      'I have a new {device} and cannot sign in, because the codes still go to the old one.',
      'The code by text message does not arrive. I have asked for it five times since {time}.',
      'My account says that it is locked for security reasons. I have done nothing unusual.',
      'I received an e-mail in your name which asks me to confirm my card. Is it real?',
    ],
    additions: [
      'The old phone is broken, so I cannot use it to confirm.',
      'My number has not changed.',
      'I have not clicked on anything in it.',
      'I need to pay my rent by {weekday}.',
    ],
    exchanges: [
      [
        'To be sure that it is you: in which month did you open the account, and what was the last payment?',
        'In {month}, and the last payment was {amount} at {merchant}.',
      ],
      [
        'Could you forward the e-mail to us with its headers?',
        'Done. The sender looked right, but the link went to another address.',
      ],
      ['Does your operator block messages from short numbers?', 'They did. I have allowed them now.'],
    ],
    notes: [
      'Identity confirmed by video at {time}.',
      'Phishing campaign of this week, same link as in the other reports.',
      'Locked by the rule for new devices. Nothing else stands out.',
    ],
    solutions: [
      'I have removed the old phone from your account. Sign in on the {device} and follow the three steps there.',
      'The e-mail was not from us. You did everything right; please delete it. Your account is safe.',
      'Your account is unlocked. You were asked because the sign-in came from {city} for the first time.',
    ],
  },
  {
    department: 'Cards and accounts',
    category: 'Transfers',
    tags: ['transfer'],
    hold: 'Waiting for the bank',
    subjects: [
      'Transfer of {amount} is missing',
      'Wrong account number',
      'Salary has not arrived',
      'How long does a transfer take?',
    ],
    openings: [
      'I sent {amount} on {weekday} and the recipient still has nothing.',
      'I mistyped the account number in a transfer of {amount}. Can you stop it?',
      'My salary usually arrives on the 25th. Today is later than that, and my employer says it was sent.',
      'I would like to send {amount} to an account in {city}. How long does it take, and what does it cost?',
    ],
    additions: [
      'It is for the deposit of a flat, so time matters.',
      'The app shows the transfer as done.',
      'I have checked the number with the recipient.',
    ],
    exchanges: [
      [
        'Could you send me the reference of the transfer? It starts with FH.',
        'It is FH-{order}. I see it below Details.',
      ],
      ['Was it a standing order, or entered by hand?', 'By hand, in the app, at about {time}.'],
    ],
    notes: [
      'Held by the screening of the recipient bank. Asked them to release it.',
      'Recall sent at {time}. Recipient has to agree.',
      'Employer used the old account number.',
    ],
    solutions: [
      'The recipient bank had held the transfer for a check and has released it. It arrives today.',
      'The money came back, because no such account exists. {amount} is available to you again.',
      'Your employer sent the salary to your earlier account number. It was redirected and is booked now.',
    ],
  },
]
