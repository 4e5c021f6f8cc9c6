// Reading a barcode with the camera, where the browser has a BarcodeDetector and the page may use the camera.

const FORMATS = ["ean_13", "ean_8", "upc_a", "upc_e", "itf"];
const LOOK_EVERY_MS = 200;

export async function canScan() {
  if (!("BarcodeDetector" in globalThis) || !navigator.mediaDevices?.getUserMedia) return false;
  const known = await BarcodeDetector.getSupportedFormats();
  return FORMATS.some((format) => known.includes(format));
}

/**
 * Show the camera in a video and call `found` with the first barcode in it.
 * @returns {Promise<() => void>} what stops it
 */
export async function scan(video, found) {
  const known = await BarcodeDetector.getSupportedFormats();
  const detector = new BarcodeDetector({ formats: FORMATS.filter((format) => known.includes(format)) });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  video.srcObject = stream;
  await video.play();
  let stopped = false;
  const stop = () => {
    stopped = true;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  const look = async () => {
    if (stopped) return;
    const [first] = await detector.detect(video).catch(() => []);
    if (stopped) return;
    if (first) found(first.rawValue);
    else setTimeout(look, LOOK_EVERY_MS);
  };
  look();
  return stop;
}
