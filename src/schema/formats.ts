/** The two formats that are Handler's own (contract S.10). */
export const FILE_FORMATS = ["handler-file", "handler-output-file"] as const;

/** `handler-file`: a path to read; `handler-output-file`: a path to write. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Whether a format is one of Handler's own. */
export function isFileFormat(format: unknown): format is FileFormat {
  return FILE_FORMATS.some((own) => own === format);
}

/**
 * The formats that a schema may use, each with its check. All run in time linear in the text: none has a pattern in
 * which two repetitions could share letters.
 */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  "handler-file": isPath,
  "handler-output-file": isPath,
  "date": isDate,
  "time": isTime,
  "date-time": isDateTime,
  "email": isEmail,
  "hostname": isHostname,
  "ipv4": isIpv4,
  "ipv6": isIpv6,
  "uri": isUri,
  "uuid": (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

function isPath(text: string): boolean {
  return text !== "" && text.length <= 4096 && !text.includes("\0");
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A time of RFC 3339, whose offset must be there; a leap second only where it can be: at 23:59:60 UTC. */
function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d{1,20})?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (!parts) return false;
  const [hour, minute, second] = parts.slice(1, 4).map(Number) as [number, number, number];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) =>
    label.length <= 63 && /^[a-z0-9]$|^[a-z0-9][a-z0-9-]*[a-z0-9]$/i.test(label)
  );
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  if (at < 1 || at > 64 || text.length > 254) return false;
  return local.split(".").every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part)) &&
    isHostname(text.slice(at + 1));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (text.length > 45 || !/^[0-9a-f:.]+$/i.test(text)) return false;
  return URL.canParse(`http://[${text}]/`);
}

/** An absolute URI of RFC 3986: a scheme, then allowed characters only. */
function isUri(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return false;
  return /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(text) && !/%(?![0-9a-f]{2})/i.test(text) &&
    text.split("#").length <= 2;
}
