/*
 * The phrases by which mail clients of many languages introduce the text of another mail, in lower case. The lists
 * follow the translations that Gmail, Outlook, Apple Mail, Thunderbird, Yahoo and the clients of each country ship.
 */

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())

/** Verbs of attribution lines, such as "On 1 May 2026, Jane wrote:". */
export const wroteVerbs = lines(`
  wrote
  writes
  schrieb
  a écrit
  escribió
  va escriure
  escreveu
  ha scritto
  schreef
  heeft het volgende geschreven
  napisał
  napisała
  napisał(a)
  pisze
  пишет
  написал
  написала
  написал(а)
  написали
  пише
  написав
  написала(в)
  писав
  napsal
  napsala
  napsal(a)
  napísal
  napísal(a)
  skrev
  skrev följande
  kirjoitti
  yazdı
  şunu yazdı
  şunları yazdı
  írta
  ezt írta
  a scris
  έγραψε
  написа
  je napisao
  je napisala
  napisao je
  napisala je
  je napisao/la
  je napisal
  rašė
  rakstīja
  kirjutas
  skrifaði
  đã viết
  menulis
  a scríobh
  כתב
  כתבה
  כתב/ה
  كتب
  كتبت
  نوشت
  เขียนว่า
  ने लिखा
  さんは書きました
  のメール
  写道
  寫道
  写到
  님이 작성
  님이 쓴 글
  작성
`)

/** Lines between dashes above a forwarded mail. */
export const forwardPhrases = lines(`
  forwarded message
  forwarded mail
  forwarded email
  begin forwarded message
  weitergeleitete nachricht
  weitergeleitete mail
  weitergeleitete e-mail
  message transféré
  message réexpédié
  courriel transféré
  mensaje reenviado
  missatge reenviat
  mensagem encaminhada
  mensagem reencaminhada
  messaggio inoltrato
  doorgestuurd bericht
  doorgestuurde bericht
  przekazana wiadomość
  przesłana dalej wiadomość
  treść przekazanej wiadomości
  wiadomość przekazana dalej
  пересылаемое сообщение
  перенаправленное сообщение
  пересланное сообщение
  переадресованное сообщение
  пересланное письмо
  переслане повідомлення
  переспрямоване повідомлення
  пересланий лист
  переслано
  přeposlaná zpráva
  předaná zpráva
  preposlaná správa
  vidarebefordrat meddelande
  vidarebefordrat e-brev
  vidarebefordrat mejl
  vidarebefordrat e-postmeddelande
  videresendt meddelelse
  videresendt besked
  videresendt e-mail
  videresendt melding
  videresendt e-post
  edelleenlähetetty viesti
  välitetty viesti
  välitetty sähköposti
  iletilen ileti
  iletilmiş ileti
  iletilmiş mesaj
  yönlendirilmiş ileti
  yönlendirilen ileti
  yönlendirilen mesaj
  továbbított üzenet
  továbbított levél
  mesaj redirecționat
  mesaj transmis
  προωθημένο μήνυμα
  препратено съобщение
  proslijeđena poruka
  posredovano sporočilo
  persiųstas laiškas
  edastatud kiri
  pārsūtītais ziņojums
  thư đã chuyển tiếp
  tin nhắn đã chuyển tiếp
  pesan terusan
  pesan yang diteruskan
  הודעה שהועברה
  رسالة معاد توجيهها
  الرسالة المعاد توجيهها
  رسالة مُعاد توجيهها
  ข้อความที่ส่งต่อ
  転送されたメッセージ
  転送メッセージ
  転送メール
  轉寄的郵件
  轉寄郵件
  轉寄的訊息
  转发的邮件
  转发邮件
  转发的消息
  转发邮件信息
  转发的邮件信息
  전달된 메시지
  전달된 메일
  전달된 이메일
  전달 메시지
`)

/** Lines above a forwarded mail that end with a colon and have no dashes, as Apple Mail writes them. */
export const forwardOpeners = lines(`
  begin forwarded message
  anfang der weitergeleiteten nachricht
  anfang der weitergeleiteten e-mail
  début du message transféré
  début du message réexpédié
  inicio del mensaje reenviado
  inici del missatge reenviat
  início da mensagem encaminhada
  início da mensagem reencaminhada
  inizio messaggio inoltrato
  inizio del messaggio inoltrato
  begin doorgestuurd bericht
  begin van doorgestuurd bericht
  początek przekazywanej wiadomości
  rozpoczęcie przekazywanej wiadomości
  начало переадресованного сообщения
  начало переадресованного письма
  начало пересылаемого сообщения
  початок листа, що пересилається
  початок пересланого повідомлення
  початок переадресованого листа
  začátek přeposlané zprávy
  začátek přeposílané zprávy
  začiatok preposlanej správy
  vidarebefordrat brev
  vidarebefordrat mejl
  vidarebefordrat meddelande
  start på videresendt besked
  start på videresendt meddelelse
  starten på den videresendte meddelelse
  start på videresendt melding
  start på videresendt e-post
  begynnelse på videresendt melding
  välitetty viesti alkaa
  välitetyn viestin alku
  alkaa välitetty viesti
  iletilen ileti başlangıcı
  iletilmiş ileti başlangıcı
  yönlendirilen iletinin başlangıcı
  başlangıç yönlendirilen ileti
  továbbított levél kezdete
  továbbított üzenet kezdete
  începutul mesajului redirecționat
  αρχή προωθημένου μηνύματος
  početak proslijeđene poruke
  转发的邮件
  下面是被转发的邮件
  开始转发的邮件
  開始轉寄郵件
  轉寄的郵件
  以下是轉寄的郵件
  転送されたメッセージ
  転送メッセージの始まり
  전달된 메시지
  전달받은 메시지
  전달된 메시지의 시작
`)

/** Lines between dashes above the mail that is answered. */
export const originalPhrases = lines(`
  original message
  original mail
  original email
  original e-mail
  original
  original appointment
  replied message
  reply message
  ursprüngliche nachricht
  ursprüngliche e-mail
  originalnachricht
  original-nachricht
  original nachricht
  message d'origine
  message d’origine
  message original
  message d'origine / original message
  courriel original
  mensaje original
  missatge original
  mensagem original
  messaggio originale
  oorspronkelijk bericht
  oorspronkelijke bericht
  origineel bericht
  wiadomość oryginalna
  oryginalna wiadomość
  treść oryginalnej wiadomości
  исходное сообщение
  оригинальное сообщение
  первоначальное сообщение
  исходное письмо
  вихідне повідомлення
  оригінальне повідомлення
  початкове повідомлення
  původní zpráva
  původní e-mail
  pôvodná správa
  ursprungligt meddelande
  originalmeddelande
  ursprungligt mejl
  oprindelig meddelelse
  oprindelig besked
  original meddelelse
  oprindelig e-mail
  opprinnelig melding
  original melding
  opprinnelig e-post
  alkuperäinen viesti
  alkuperäinen sähköposti
  orijinal ileti
  orijinal mesaj
  özgün ileti
  asıl ileti
  orjinal mesaj
  eredeti üzenet
  eredeti levél
  mesaj original
  mesajul original
  mesaj inițial
  αρχικό μήνυμα
  πρωτότυπο μήνυμα
  оригинално съобщение
  izvorna poruka
  originalna poruka
  izvirno sporočilo
  originalus laiškas
  algne kiri
  sākotnējais ziņojums
  thư gốc
  tin nhắn gốc
  pesan asli
  הודעה מקורית
  الرسالة الأصلية
  رسالة أصلية
  ข้อความต้นฉบับ
  元のメッセージ
  オリジナルメッセージ
  元のメール
  原始邮件
  原邮件
  回复的原邮件
  邮件原件
  原始郵件
  原始訊息
  原始消息
  원본 메시지
  원본 메일
  원본 이메일
  원본메시지
  원래 메시지
`)
