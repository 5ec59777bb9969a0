"""Where an encoder's weights come from before training.

start_fresh, scale_layout               drawn anew
convert_bert                            from BERT, key by key
read_foreign                            from a Hugging Face folder of the BERT family
load_teacher                            from an encoder of the same width and depth
load_skim                               a Skimformer's layout
"""

from models.starts.fill import fill, load_teacher
from models.starts.fresh import scale_layout, start_fresh
from models.starts.hugging_face import PRESET_OF, is_foreign, read_foreign
from models.starts.pretrained import convert_bert, minilm_folder, read_bert
from models.starts.skim import load_skim

__all__ = [
    "PRESET_OF",
    "convert_bert",
    "fill",
    "is_foreign",
    "load_skim",
    "load_teacher",
    "minilm_folder",
    "read_bert",
    "read_foreign",
    "scale_layout",
    "start_fresh",
]
