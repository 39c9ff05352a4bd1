import type { Story } from './story.ts'

/** Fernhill Home: a shop for furniture and household goods. */
export const shop: Story[] = [
  {
    department: 'Orders and delivery',
    category: 'Late deliveries',
    tags: ['delivery'],
    weight: 4,
    hold: 'Waiting for the carrier',
    subjects: [
      'Where is my {item}?',
      'Order {order} is late',
      'Parcel has not moved since {weekday}',
      'Delivered, but not to me',
      'Delivery date has passed',
    ],
    openings: [
      'My order {order} was to arrive on {weekday}. The tracking has shown the same line ever since.',
      '{carrier} says that the parcel was handed to a neighbour. I have asked all of them, nobody has it.',
      'I stayed at home all {weekday} for the {item}, and nobody came.',
      'I ordered a {colour} {item} three weeks ago and have heard nothing since the confirmation.',
    ],
    additions: [
      'It is a birthday present, so it is getting tight.',
      'The hotline of {carrier} could not help.',
      'If it takes longer than {weekday} I would rather cancel.',
      'I am easy to reach by phone in the {daytime}.',
      'This is the third order with the same problem.',
    ],
    exchanges: [
      [
        'Is the address on the confirmation complete, with the floor and the name on the door?',
        'The name on the door is different, sorry. It says Miller.',
      ],
      [
        'Would {weekday} in the {daytime} suit you for a second attempt?',
        '{weekday} is good, after ten please.',
      ],
      [
        'Did the driver leave a card in the letter box?',
        'No card, and nothing in the app of {carrier} either.',
      ],
    ],
    notes: [
      'Trace opened with {carrier}. Answer within two working days.',
      'Parcel was scanned in the depot in {city} at {time}, then nothing.',
      'Send a replacement at once if the trace ends without a result: second complaint.',
    ],
    solutions: [
      'The parcel was found in the depot in {city} and comes on {weekday}. I am sorry for the wait.',
      '{carrier} declared the parcel lost. A new {item} left our warehouse today, with express delivery at our cost.',
      'The driver will come again on {weekday} in the {daytime} and call you half an hour before.',
      'As you asked, I have cancelled order {order}. {amount} goes back to your card within three days.',
    ],
  },
  {
    department: 'Orders and delivery',
    category: 'Damaged goods',
    tags: ['damaged', 'replacement'],
    weight: 2,
    subjects: [
      'The {item} arrived broken',
      'Scratches on the {item}',
      'Part missing in order {order}',
      'Wrong colour delivered',
    ],
    openings: [
      'The {item} arrived today with a crack along one side. The box looked fine.',
      'There are screws missing in the bag of my {item}, so I cannot put it together.',
      'I ordered the {item} in {colour}, and the one in the box is grey.',
      'After one week the {item} makes a noise and wobbles.',
    ],
    additions: [
      'I have taken pictures.',
      'I do not have the box any more.',
      'A discount would be fine as well, the damage is at the back.',
      'My old one is already gone, so I need this solved soon.',
    ],
    exchanges: [
      [
        'Could you send us two pictures, one of the damage and one of the label on the box?',
        'I have sent both. The label says {order}.',
      ],
      [
        'Would you keep the {item} for a discount of 20 %, or do you prefer a new one?',
        'I would prefer a new one, please.',
      ],
      [
        'Which bag is it: A, B or C on page two of the manual?',
        'Bag B. There should be eight, and I have five.',
      ],
    ],
    notes: [
      'Pictures show transport damage. Claim with {carrier}.',
      'Known fault of this batch, see the product page. Replace without a return.',
      'Warehouse confirms: the colours were swapped on {weekday}.',
    ],
    solutions: [
      'A new {item} is on its way. The driver takes the broken one with him, you need not pack it.',
      'The missing parts left today by letter and should arrive on {weekday}.',
      'I have refunded {amount}, which is 20 % of the price. Thank you for keeping it.',
      'You are right, we sent the wrong colour. The {colour} one arrives on {weekday}, and the grey one goes back at our cost.',
    ],
  },
  {
    department: 'Orders and delivery',
    category: 'Returns',
    tags: ['return'],
    weight: 2,
    subjects: [
      'I would like to return my {item}',
      'Return label does not work',
      'Return sent, no refund yet',
      'Exchange for another size',
    ],
    openings: [
      'The {item} is too big for our room. How do I send it back?',
      'The return label for order {order} cannot be opened on my {device}.',
      'I sent the {item} back on {weekday} two weeks ago, and the {amount} have not come back.',
      'Can I exchange the {item} for the smaller one?',
    ],
    additions: [
      'It is unused and in its box.',
      'I do not have a printer.',
      'The receipt of the post office says {time}, {weekday}.',
    ],
    exchanges: [
      [
        'Would you like us to collect it, or is there a parcel shop near you?',
        'Collection would be great, it is heavy.',
      ],
      ['What is the number on the receipt of {carrier}?', 'It is {order}-R.'],
    ],
    notes: [
      'Return arrived in {city} on {weekday} and waits for inspection.',
      'No printer: code for the parcel shop sent.',
      'Outside the 30 days by two days. Accepted as a courtesy.',
    ],
    solutions: [
      'Show the code that I have sent you at any parcel shop of {carrier}; they print the label.',
      'Your return was booked today and {amount} is on its way to you.',
      '{carrier} collects the {item} on {weekday}. The smaller one is reserved for you and leaves the same day.',
    ],
  },
  {
    department: 'Orders and delivery',
    category: 'Products and stock',
    tags: ['question'],
    subjects: [
      'When is the {item} back in stock?',
      'Does the {item} fit a small balcony?',
      'Care of the {item}',
      'Spare parts for an older {item}',
    ],
    openings: [
      'The {item} in {colour} has been sold out for weeks. Do you know when it comes back?',
      'What are the exact measurements of the {item}, legs included?',
      'Can the cover of the {item} be washed at 60 degrees?',
      'I bought a {item} from you four years ago. Do you still have spare parts for it?',
    ],
    additions: [
      'The shop in {city} could not tell me.',
      'I would need two of them.',
      'The page says nothing about it.',
    ],
    exchanges: [
      [
        'Would another colour be an option? Sand and green are in stock.',
        'Green could work. Could you hold one for me?',
      ],
      ['Do you have the article number from the label underneath?', 'Yes: {order}.'],
    ],
    notes: ['Next delivery from the supplier: {month}.', 'Asked the product team to add the measurements.'],
    solutions: [
      'The next {item} in {colour} arrive in {month}. I have put you on the list and you get a mail that day.',
      'It is 62 × 118 × 74 cm, legs included. I have asked for the page to show it.',
      'At 40 degrees at most, please, and not in the dryer.',
      'We do have them: part {order}, {amount} with delivery. I have put it into your basket.',
    ],
  },
  {
    department: 'Billing',
    category: 'Invoices',
    tags: ['invoice'],
    weight: 2,
    hold: 'Waiting for accounting',
    subjects: [
      'Invoice for order {order}',
      'Wrong company name on the invoice',
      'VAT number missing',
      'Paid twice',
    ],
    openings: [
      'I need an invoice for order {order} in the name of my company.',
      'The invoice shows my old address. Could you correct it?',
      'Our accounting asks for your VAT number on the invoice of {amount}.',
      'I paid the invoice by transfer on {weekday}, and it was collected from my account as well.',
    ],
    additions: [
      'The tax office wants it by {weekday}.',
      'It is the same with the invoice of {month}.',
      'A PDF is enough.',
    ],
    exchanges: [
      [
        'What are the full name and the address of the company?',
        'Aldergrove Interiors Ltd, 14 Quay Street, {city}.',
      ],
      [
        'From which account did you transfer the {amount}?',
        'From our business account, the one ending in 4471.',
      ],
    ],
    notes: [
      'Corrected in the ledger, new number follows tonight.',
      'Double payment confirmed by accounting.',
    ],
    solutions: [
      'The corrected invoice is in your account, below Orders → {order}.',
      'You did pay twice. {amount} goes back to the account ending in 4471 today.',
      'The VAT number is on all invoices from now on, and I have sent you a new copy of this one.',
    ],
  },
]
