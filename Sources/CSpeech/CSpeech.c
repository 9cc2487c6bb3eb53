#include "CSpeech.h"
