/** The part of utif2 that is used here; the package has no types of its own. */
interface Directory {
  readonly width: number;
  readonly height: number;
}

declare const UTIF: {
  decode(file: ArrayBuffer): readonly Directory[];
  /** Unpacks the pixels into the directory itself. */
  decodeImage(file: ArrayBuffer, directory: Directory): void;
  toRGBA8(directory: Directory): Uint8Array;
};

export default UTIF;
