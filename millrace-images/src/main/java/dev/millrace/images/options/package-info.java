/// What reads, writes and functions of images are told: `session.readImages(path, ReadImages.rgb().size(224, 224))`,
/// `Images.resize("image", 224, 224, Interpolation.BICUBIC)`.
@NullMarked
package dev.millrace.images.options;

import org.jspecify.annotations.NullMarked;
