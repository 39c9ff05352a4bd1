import { trimmed } from './trimming.ts'

/** The parts of a mail's header that clients repeat above its text. */
export type HeaderKind = 'from' | 'date' | 'to' | 'subject' | 'other'

const labels: Record<HeaderKind, string> = {
  from: `
    from|von|absender|de|expéditeur|remitente|da|mittente|van|afzender|od|nadawca|от|от кого|отправитель|від|від кого
    відправник|odesílatel|odesilatel|från|avsändare|fra|afsender|avsender|lähettäjä|kimden|gönderen|feladó|de la
    expeditor|από|αποστολέας|pošiljatelj|šalje|nuo|saatja|từ|người gửi|dari|pengirim|מאת|من|از|จาก
    差出人|送信者|送信元|发件人|發件人|寄件者|寄件人|보낸 사람|보낸사람|발신|발신자|보낸이`,
  date: `
    date|sent|datum|gesendet|gesendet am|sendedatum|date d'envoi|date d’envoi|envoyé|envoyé le|fecha|enviado|enviado el
    enviat|data|enviada|enviada em|enviado em|inviato|data di invio|verzonden|verzonden op|verstuurd|wysłano|wysłane
    data wysłania|дата|отправлено|отправлен|надіслано|відправлено|odesláno|odoslané|dátum|skickat|skickad
    dato|sendt|päiväys|päivä|päivämäärä|lähetetty|tarih|gönderildi|gönderme tarihi|gönderilme tarihi|küldve|elküldve
    trimis|trimis la|dată|ημερομηνία|στάλθηκε|εστάλη|изпратено|poslano|poslato|išsiųsta|saadetud|kuupäev|đã gửi|ngày
    đã gửi lúc|dikirim|tanggal|נשלח|תאריך|تم الإرسال|التاريخ|تاريخ|أرسلت|ส่ง|วันที่
    日時|日付|送信日時|送信日|发送时间|发送日期|日期|时间|傳送時間|寄件日期|發送時間|傳送日期|보낸 날짜|보낸날짜|날짜|보낸 시간|일시`,
  to: `
    to|an|pour|empfänger|à|destinataire|para|destinatario|a|per|aan|ontvanger|do|komu|кому|до|получатель|одержувач
    till|mottagare|til|modtager|mottaker|vastaanottaja|kime|alıcı|címzett|către|catre|προς|prima|za|kam|adressaat
    đến|tới|kepada|ke|אל|إلى|ถึง|宛先|送信先|收件人|收件者|받는 사람|받는사람|수신|수신자|받는이`,
  subject: `
    subject|betreff|objet|sujet|asunto|assunto|assumpte|oggetto|onderwerp|temat|тема|předmět|predmet|ämne|emne|aihe|konu
    tárgy|subiect|θέμα|относно|zadeva|teema|chủ đề|tiêu đề|subjek|perihal|נושא|الموضوع|موضوع|เรื่อง|หัวเรื่อง
    件名|主题|主題|主旨|标题|標題|제목`,
  other: `
    cc|bcc|kopie|kopia|kopi|copie|copie à|cópia|copia|dw|udw|копия|копія|kopio|bilgi|másolatot kap|másolat|κοιν
    κοινοποίηση|עותק|نسخة|抄送|副本|密送|密件抄送|참조|숨은 참조|reply-to|reply to|antwort an|répondre à|responder a
    responder para|rispondi a|antwoord aan|odpowiedz do|ответить|importance|wichtigkeit|priorität|priority|attachments
    anlagen|pièces jointes|archivos adjuntos|anexos|allegati|bijlagen|organization|message-id|odpowiedź do|sender
    resent-from|mailed-by|signed-by|list-id|answer to|返信先|回复`,
}

const kinds = new Map<string, HeaderKind>(
  Object.entries(labels).flatMap(([kind, text]) =>
    text
      .trim()
      .split(/[|\n]/)
      .map((label) => [label.trim().normalize('NFC'), kind as HeaderKind] as const),
  ),
)

const longestLabel = 30

/** Reads a header line such as `Von: Jane <jane@example.com>`; null for any other line. */
export function headerOf(line: string): { kind: HeaderKind; value: string } | null {
  const text = line.startsWith('|') ? line.slice(1).replace('|', ':').replace(/\|$/, '') : line
  const colon = text.slice(0, longestLabel + 1).search(/[:：]/)
  if (colon < 1) return null
  const label = bare(text.slice(0, colon)).toLowerCase().replaceAll('i\u0307', 'i').normalize('NFC')
  const kind = kinds.get(label.replace(/\s+/g, ' '))
  return kind ? { kind, value: bare(text.slice(colon + 1)) } : null
}

/** Text parts show bold labels between asterisks. */
const bare = (text: string): string => trimmed(text, ' \t\u00a0*_')
