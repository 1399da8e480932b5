/// Options of reading, writing and transforming images: `session.readImages(path, ReadImages.rgb().size(224, 224))`,
/// `Images.resize("image", 224, 224, Interpolation.BICUBIC)`.
@NullMarked
package dev.millrace.images.options;

import org.jspecify.annotations.NullMarked;
