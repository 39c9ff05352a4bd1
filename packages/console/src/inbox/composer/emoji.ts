/** Emoji with their names in English and German, which also find them. */
const list = `
👍 thumbs up|Daumen hoch
👎 thumbs down|Daumen runter
🙏 thank you, please|danke, bitte
👋 wave, hello|winken, hallo
🙂 slight smile|leichtes Lächeln
😊 smile|Lächeln
😀 grin|Grinsen
😄 laughing eyes|lachende Augen
😁 beaming|strahlend
😅 relieved, sweat|erleichtert, Schweiß
😂 tears of joy|Freudentränen
🤣 rolling on the floor|vor Lachen am Boden
😉 wink|Zwinkern
😍 heart eyes|Herzaugen
🥰 loving|verliebt
😘 kiss|Kuss
😎 cool, sunglasses|cool, Sonnenbrille
🤩 star-struck|begeistert
🥳 party|Party
🤗 hug|Umarmung
🤔 thinking|nachdenklich
🤨 raised eyebrow|hochgezogene Augenbraue
😐 neutral|neutral
🙄 rolling eyes|Augenrollen
😬 grimace|verlegen
😌 relief|Erleichterung
😴 sleeping|schlafend
🤒 ill|krank
🤯 mind blown|überwältigt
😕 confused|verwirrt
😟 worried|besorgt
🙁 slight frown|leicht traurig
😞 disappointed|enttäuscht
😢 crying|weinend
😭 sobbing|heulend
😱 scream|Schrei
😤 steaming|schnaubend
😡 angry|wütend
😳 flushed|errötet
😮 surprised|überrascht
🤷 shrug|Schulterzucken
🤦 facepalm|an die Stirn fassen
🙋 raised hand|Hand heben
🙌 celebration, hands|Jubel, Hände
👏 applause|Applaus
🤝 handshake|Handschlag
💪 strong|stark
👌 OK hand|OK-Zeichen
✌️ victory, peace|Sieg, Frieden
🤞 fingers crossed|Daumen drücken
👉 point right|nach rechts zeigen
👈 point left|nach links zeigen
👆 point up|nach oben zeigen
👇 point down|nach unten zeigen
👀 eyes, looking|Augen, schauen
✅ done, check|erledigt, Haken
☑️ ticked box|Kästchen mit Haken
✔️ check mark|Häkchen
❌ cross, no|Kreuz, nein
⚠️ warning|Warnung
❗ exclamation mark|Ausrufezeichen
❓ question mark|Fragezeichen
ℹ️ information|Information
🚫 forbidden|verboten
⛔ no entry|keine Einfahrt
🔴 red circle|roter Kreis
🟠 orange circle|orangefarbener Kreis
🟡 yellow circle|gelber Kreis
🟢 green circle|grüner Kreis
🔵 blue circle|blauer Kreis
❤️ heart|Herz
💙 blue heart|blaues Herz
💚 green heart|grünes Herz
💔 broken heart|gebrochenes Herz
✨ sparkles|Funkeln
⭐ star|Stern
🔥 fire|Feuer
🎉 celebration, confetti|Feier, Konfetti
🎁 gift|Geschenk
🎂 cake, birthday|Torte, Geburtstag
💐 flowers|Blumenstrauß
🌹 rose|Rose
🍀 luck, clover|Glück, Kleeblatt
☀️ sun|Sonne
🌧️ rain|Regen
❄️ snow|Schnee
☕ coffee|Kaffee
🍕 pizza|Pizza
🍰 cake|Kuchen
🍺 beer|Bier
🥂 cheers|Prost
📧 e-mail|E-Mail
✉️ letter|Brief
📨 mail that arrives|eingehende Nachricht
📞 phone|Telefon
📱 mobile phone|Handy
💬 speech bubble|Sprechblase
📣 announcement|Ankündigung
🔔 bell|Glocke
📎 paper clip|Büroklammer
📄 document|Dokument
📋 clipboard|Klemmbrett
📝 note|Notiz
📌 pin|Pinnnadel
📦 parcel|Paket
🚚 delivery, lorry|Lieferung, Lastwagen
✈️ plane|Flugzeug
🚗 car|Auto
🚆 train|Zug
🏠 house|Haus
🏢 office|Büro
🛒 shopping cart|Einkaufswagen
💳 card, payment|Karte, Zahlung
💶 euro|Euro
💵 dollar|Dollar
💰 money|Geld
🧾 receipt|Quittung
📈 rising|steigend
📉 falling|fallend
📊 chart|Diagramm
🔑 key|Schlüssel
🔒 locked|gesperrt
🔓 unlocked|entsperrt
🔐 password, secure|Passwort, sicher
🔗 link|Link
🔍 search|Suche
🔧 repair, wrench|Reparatur, Schraubenschlüssel
🛠️ tools|Werkzeug
⚙️ settings|Einstellungen
💻 laptop|Laptop
🖥️ screen|Bildschirm
🖨️ printer|Drucker
🔋 battery|Akku
🔌 plug|Stecker
💡 idea|Idee
🐛 bug|Fehler, Käfer
🚀 rocket, launch|Rakete, Start
🧪 test|Test
🔄 refresh, again|neu laden, erneut
⏳ waiting, hourglass|warten, Sanduhr
⏰ alarm clock|Wecker
⏱️ stopwatch|Stoppuhr
📅 calendar, date|Kalender, Datum
🕐 clock, time|Uhr, Zeit
➡️ arrow right|Pfeil nach rechts
⬅️ arrow left|Pfeil nach links
⬆️ arrow up|Pfeil nach oben
⬇️ arrow down|Pfeil nach unten
➕ plus|Plus
➖ minus|Minus
1️⃣ one|eins
2️⃣ two|zwei
3️⃣ three|drei
🌍 world|Welt
🏆 trophy, winner|Pokal, Gewinn
🎯 goal|Ziel
🤖 robot|Roboter
🐶 dog|Hund
🐱 cat|Katze
`

export type Emoji = { character: string; en: string; de: string }

export const emoji: Emoji[] = list
  .trim()
  .split('\n')
  .map((line) => {
    const space = line.indexOf(' ')
    const [en = '', de = ''] = line.slice(space + 1).split('|')
    return { character: line.slice(0, space), en, de }
  })
